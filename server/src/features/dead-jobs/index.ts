export { redactError } from "./redact-error.ts";
