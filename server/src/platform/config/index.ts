export { ConfigError, readConfig } from "./config.ts";
export type { Config, S3Settings } from "./config.ts";
export { prepareDataDir } from "./data-dir.ts";
export { makeFolder, requireWritable } from "./folders.ts";
export { existingSecretKeys, keepSecretKey, requireSecretKeys, secretKeys } from "./secret-key.ts";
export { allRoles } from "./settings.ts";
export type { Role, TrustProxy } from "./settings.ts";
