export { colleaguesOptions } from "./colleagues.ts";
export { InvitationState } from "./InvitationState.tsx";
export { useCancelInvitation, useRenewInvitation } from "./invitations.api.ts";
export { InviteDialog } from "./InviteDialog.tsx";
export { LinkDialog } from "./LinkDialog.tsx";
export { UserDialog } from "./UserDialog.tsx";
export { usersRealtime, usersResource } from "./users.api.ts";
export { userMessages } from "./users.i18n.ts";
