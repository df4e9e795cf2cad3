export { FileGone, downloadTo } from "./download.ts";
export { mediaSource, sourceOf } from "./media-source.ts";
export type { EncryptedFile, KnownMediaSource, MediaKind } from "./media-source.ts";
export { fetchProfilePicture } from "./profile-picture.ts";
export { secureContextFor } from "./tls-context.ts";
