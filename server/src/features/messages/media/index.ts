export { downloadMedia, downloadPayload } from "./download-media.jobs.ts";
export { enqueueMediaDownload } from "./enqueue-media-download.ts";
export {
  fillMissingMedia,
  findMessageFiles,
  findVisibleMessageFiles,
  findMedia,
  findRecording,
  findMediaOfMessages,
  insertReadyMedia,
  mediaSourceContext,
  sealedMedia,
  setMediaReady,
  setMediaState,
  setTranscript,
  setVideoMetadata,
  setVoiceMetadata,
} from "./media.queries.ts";
export type { FoundFile, Recording, StoredMedia } from "./media.queries.ts";
export { saveTranscript } from "./save-transcript.ts";
export { refetchMedia } from "./refetch-media.ts";
export { storeUploads } from "./store-uploads.ts";
export { readVideoMetadata } from "./video-metadata.ts";
