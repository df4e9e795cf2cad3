export { acceptInvitation, openInvitation } from "./accept-invitation.ts";
export { cancelInvitation, inviteUser, renewInvitation } from "./invite-user.ts";
export { mailInvitation } from "./mail-invitation.ts";
