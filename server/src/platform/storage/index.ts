export { createMediaLinks } from "./media-links.ts";
export type { MediaFile, MediaLinks } from "./media-links.ts";
export { StorageMiss, openStorage, storageKey } from "./storage.ts";
export type { ByteRange, Storage, StoredFile } from "./storage.ts";
