export { prunePasswordResets, requestPasswordReset, resetPassword } from "./reset-password.ts";
