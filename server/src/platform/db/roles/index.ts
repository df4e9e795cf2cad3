export { checkRoles } from "./check-roles.ts";
export { ensureRoles, versionOf } from "./roles.ts";
export { prepareSignIn } from "./sign-in.ts";
