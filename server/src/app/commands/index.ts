export { runResetPassword } from "./reset-password.ts";
export { runSetup } from "./setup.ts";
