export {
  applyPictureChanges,
  enqueuePictureDownload,
  enqueueStalePictures,
  PICTURE_TASK,
  pictureStaleBefore,
} from "./contact-pictures.ts";
export { fetchPictureJob } from "./pictures.jobs.ts";
export type { PictureJobOptions } from "./pictures.jobs.ts";
export { findReferencedPictures } from "./pictures.queries.ts";
