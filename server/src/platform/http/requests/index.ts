export { callerAddress } from "./caller-address.ts";
export { compileGuestInput, readGuestQuery } from "./guest-input.ts";
export type { GuestInput } from "./guest-input.ts";
export { parseJsonBodies } from "./json-body.ts";
export { companyLocaleOfRequest, decorateLocale, languageOf, noteCompanyLocale } from "./request-locale.ts";
export { InputError, validationError, parseInput, refuseUnstorableText } from "./parse-input.ts";
export { readMultipart } from "./uploads.ts";
export type { Multipart, Upload } from "./uploads.ts";
export { sniffType } from "./upload-types.ts";
