export { archiveStream, readArchive, writeArchive } from "./archive.ts";
export type { ArchiveEntry, ArchiveWriter } from "./archive.ts";
export { backUp, deleteOldBackups, listBackups } from "./back-up.ts";
export { deleteOldBucketBackups, downloadBackup, isInBucket, listBucketBackups } from "./bucket-backups.ts";
export type { Backup, BackupSource } from "./back-up.ts";
export { fingerprintOf } from "./keys.ts";
export { makeBackup, passingFolder } from "./make-backup.ts";
export { createNightlyBackup } from "./nightly-backup.ts";
export { restore, verifyBackup } from "./restore.ts";
