export { backUp, deleteOldBackups, listBackups } from "./back-up.ts";
export type { Backup, BackupSource } from "./back-up.ts";
export { fingerprintOf } from "./keys.ts";
export { createNightlyBackup } from "./nightly-backup.ts";
export { restore, verifyBackup } from "./restore.ts";
