export { fetchWanted, mediaPayload } from "./download-media.jobs.ts";
export { enqueueMediaDownload } from "./enqueue-media-download.ts";
export {
  filesOfMessages,
  filesShownByMessages,
  findMedia,
  insertReadyMedia,
  mediaSourceContext,
  sealedMedia,
  setMediaReady,
  setMediaState,
  setSoundLength,
  setVideoFacts,
} from "./media.queries.ts";
export type { StoredMedia } from "./media.queries.ts";
export { refetchMedia } from "./refetch-media.ts";
export { storeUploads } from "./store-uploads.ts";
export { factsOfVideo } from "./video-metadata.ts";
