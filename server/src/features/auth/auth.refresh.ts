/** Judges an authentic refresh cookie against its session. Pure: the table of the tests is the rule. */

/** Grace for the previous cookie: after a lost answer, or by two tabs at once, it is presented again (docs/decisions/0040). */
export const graceMs = 30_000;

export interface RefreshState {
  readonly refresh_hash: string;
  readonly previous_hash: string | null;
  readonly rotated_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
}

/**
 * - `rotate`: the current cookie; exchange it.
 * - `repeat`: the previous cookie, within the grace period; return the current one again.
 * - `reused`: an older cookie: it was stolen, so the session ends.
 * - `over`: the session has ended or expired.
 */
export type RefreshVerdict = "rotate" | "repeat" | "reused" | "over";

export function judgeRefresh(session: RefreshState, cookieHash: string, now: Date): RefreshVerdict {
  if (session.ended_at !== null || session.expires_at <= now) {
    return "over";
  }
  if (cookieHash === session.refresh_hash) {
    return "rotate";
  }
  const sinceRotation = now.getTime() - session.rotated_at.getTime();
  return cookieHash === session.previous_hash && sinceRotation <= graceMs ? "repeat" : "reused";
}
