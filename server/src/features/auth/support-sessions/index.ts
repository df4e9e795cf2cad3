export {
  endSupportSessions,
  findSupportClaims,
  isSupportId,
  leaveSupport,
  loadSupportSession,
  openSupportSession,
  supportUser,
} from "./support-sessions.ts";
