export { askToConfirm, noteEmailConfirmed } from "./email-confirmation/index.ts";
export { requireSecondStep } from "./auth.second-step.ts";
export { answerSession, callerOf } from "./auth.answer.routes.ts";
export { resetSecondFactor } from "./two-factor/index.ts";
export {
  endEverySessionOf,
  endSessionsOfCompany,
  endSessionsOfUser,
  requireAccessOf,
  sessionUser,
} from "./auth.service.ts";
export { openSession, signIn } from "./auth.sign-in.ts";
export type { Caller, OpenedSession } from "./auth.sign-in.ts";
export { endSupportSessions, leaveSupport, openSupportSession, supportUser } from "./support-sessions/index.ts";
export { accountOf, provenAccount } from "./two-factor/index.ts";
