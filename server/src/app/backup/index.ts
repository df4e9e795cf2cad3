export { archiveStream, readArchive, writeArchive } from "./archive.ts";
export type { ArchiveEntry, ArchiveWriter } from "./archive.ts";
export { backUp, deleteOldBackups, listBackups } from "./back-up.ts";
export {
  deleteOldBucketBackups,
  downloadBackup,
  findBucketBackup,
  isInBucket,
  listBucketBackups,
} from "./bucket-backups.ts";
export type { Backup, BackupSource } from "./back-up.ts";
export { carryOver } from "./carry-over.ts";
export { acceptKeys } from "./keys.ts";
export { makeBackup } from "./make-backup.ts";
export { openPassingFolder } from "./passing-folder.ts";
export { createNightlyBackup } from "./nightly-backup.ts";
export { restore, verifyBackup } from "./restore.ts";
