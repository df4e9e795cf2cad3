export { FileGone, downloadMedia } from "./download.ts";
export { mediaSourceSchema, mediaSourceOf } from "./media-source.ts";
export type { EncryptedFile, ParsedMediaSource, MediaKind } from "./media-source.ts";
export { fetchProfilePicture } from "./profile-picture.ts";
export { secureContextFor } from "./tls-context.ts";
