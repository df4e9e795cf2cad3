export { createMediaLinks } from "./media-links.ts";
export type { MediaFile, MediaLinks } from "./media-links.ts";
export { openStorage } from "./open.ts";
export { StorageMiss, storageKey } from "./storage.ts";
export type { ByteRange, Storage, StoredFile } from "./storage.ts";
