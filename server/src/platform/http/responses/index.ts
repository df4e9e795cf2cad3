export { answerError, answerErrors, answerNoRequest } from "./error-responses.ts";
export { JsonText, compileResponse } from "./response.ts";
export type { Answer } from "./response.ts";
export { addSecurityHeaders, mediaPolicy, pagePolicy } from "./security-headers.ts";
