export type { MediaKind } from "./media-encryption.ts";
export { MediaHost } from "./media-host.ts";
export type { StoredMedia } from "./media-host.ts";
