export { downloadMedia, downloadPayload } from "./download-media.jobs.ts";
export { enqueueMediaDownload } from "./enqueue-media-download.ts";
export {
  findMessageFiles,
  findVisibleMessageFiles,
  findMedia,
  insertReadyMedia,
  mediaSourceContext,
  sealedMedia,
  setMediaReady,
  setMediaState,
  setVideoMetadata,
  setVoiceMetadata,
} from "./media.queries.ts";
export type { StoredMedia } from "./media.queries.ts";
export { refetchMedia } from "./refetch-media.ts";
export { storeUploads } from "./store-uploads.ts";
export { readVideoMetadata } from "./video-metadata.ts";
