export { contactUpdated } from "./contacts.events.ts";
export { createContact } from "./contacts.service.ts";
export { createContactResolver } from "./people/index.ts";
export type { ContactMergeParticipants, ContactResolver } from "./people/index.ts";
export {
  applyPictureChanges,
  enqueuePictureDownload,
  enqueueStalePictures,
  pictureStaleBefore,
} from "./pictures/index.ts";
