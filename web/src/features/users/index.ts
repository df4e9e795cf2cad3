export { UserDialog } from "./UserDialog.tsx";
export { usersRealtime, usersResource } from "./users.api.ts";
export { userMessages } from "./users.i18n.ts";
