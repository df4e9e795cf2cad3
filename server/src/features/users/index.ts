export { adminIdsOf } from "./users.admins.ts";
export { hasEnteredSql } from "./users.entered.ts";
export { createFirstAdmin, requireOperator, operatorEmailOf, listOperators } from "./users.first-admin.ts";
export type { FirstAdmin } from "./users.first-admin.ts";
export { preferenceOf, savePreference } from "./users.preferences.ts";
export { replacePassword } from "./users.reset-password.ts";
export { createUser, getUser, listColleagues, removeUser, updateUser } from "./users.service.ts";
