export { checkRoles } from "./check-roles.ts";
export { ensureRoles, readServerVersion } from "./roles.ts";
export { prepareSignIn } from "./sign-in.ts";
