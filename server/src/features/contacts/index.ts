export { contactUpdated } from "./contacts.events.ts";
export { findCheckingConnection } from "./contacts.queries.ts";
export { createContact, readContactViews } from "./contacts.service.ts";
export { checkRows, columnsOf, readSheet, storeSheet } from "./import/index.ts";
export type {
  ErasedSince,
  FindErasedNumbers,
  ImportedContact,
  RefusedRow,
  SheetRow,
  StoredSheet,
} from "./import/index.ts";
export { createContactResolver, isAnyBlocked } from "./people/index.ts";
export type { ContactMergeParticipants, ContactResolver } from "./people/index.ts";
export {
  applyPictureChanges,
  enqueuePictureDownload,
  enqueueStalePictures,
  pictureStaleBefore,
} from "./pictures/index.ts";
export { checkNumberByLine } from "./number-check.ts";
export type { CheckNumber } from "./number-check.ts";
export { findDataSubject, findDataSubjects } from "./erase/index.ts";
