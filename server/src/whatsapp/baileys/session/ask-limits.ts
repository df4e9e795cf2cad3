import type { LineHost } from "../../port.ts";
import type { Session } from "./session.ts";

/**
 * Asks for both limits after a connect and after a refusal: what was announced while the line was away is not announced
 * again. No answer is no failure, and one question at a time is enough.
 */
export function createLimitQuestion(
  { connectionId, log }: LineHost,
  onQuota: (session: Session, info: unknown) => void,
): (session: Session) => Promise<void> {
  let isAsking = false;
  return async (session) => {
    if (isAsking) {
      return;
    }
    isAsking = true;
    const { sock } = session;
    // The answer about the lock is raised as an event.
    const answers = await Promise.allSettled([sock.fetchAccountReachoutTimelock(), sock.fetchNewChatMessageCap()]);
    isAsking = false;
    const [, quota] = answers;
    if (quota.status === "fulfilled") {
      onQuota(session, quota.value);
    }
    for (const answer of answers) {
      if (answer.status === "rejected") {
        log.debug({ err: answer.reason as unknown, connectionId }, "limits of the line not answered");
      }
    }
  };
}
