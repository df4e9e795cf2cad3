export { shortFileName } from "./file-name.ts";
export { createMediaLinks } from "./media-links.ts";
export type { MediaFile, MediaLinks } from "./media-links.ts";
export { createSweep } from "./sweep.ts";
export type { FileKeeper } from "./sweep.ts";
export { openStorage } from "./open.ts";
export { StorageMiss, storageKey } from "./storage.ts";
export type { ByteRange, KeptFile, Storage, StoredFile } from "./storage.ts";
