export { createFetchPreview } from "./fetch-preview.ts";
export type { FetchPreview } from "./fetch-preview.ts";
export { oneLine } from "./page-meta.ts";
export { enqueueLinkPreview, PREVIEW_LINK_TASK, previewLink } from "./preview-link.jobs.ts";
