export { sendError, handleErrors, refuseMalformedRequest } from "./error-responses.ts";
export { refusalText } from "./refusal-text.ts";
export { JsonText, createSerializer } from "./response.ts";
export type { ResponseValue, Serialize } from "./response.ts";
export { addSecurityHeaders, mediaPolicy, pagePolicy } from "./security-headers.ts";
