import type { PlanFlag } from "@prosa/contract";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock/index.ts";
import type { Actor, UserActor } from "../ctx.ts";

/** The last day that a company has paid for, and the moment at which that day is over where the company is. */
export interface PaidUntil {
  /** 2026-03-01 */
  readonly lastDay: string;
  /** From then on only endpoints with `whenOverdue` answer. */
  readonly endsAt: Date;
}

/** What the company's state allows, beside the person's own rights. */
export interface CompanyStatus {
  readonly isActive: boolean;
  /** Null: it never ends. */
  readonly paid: PaidUntil | null;
  readonly plan: Readonly<Record<PlanFlag, boolean>>;
}

/** A live session: who acts, and what their company may. */
export interface LiveSession extends CompanyStatus {
  readonly actor: UserActor;
}

/** A connection's own token (the external messages API). */
export interface LiveToken extends CompanyStatus {
  readonly actor: Extract<Actor, { kind: "line" }>;
}

/** The accounts feature answers: is this session alive, and who is it? Undefined: signed out, replaced, or never was. */
export type LoadSession = (claims: {
  readonly userId: number;
  readonly companyId: number;
  readonly sessionId: string;
}) => Promise<LiveSession | undefined>;

/** The feature of the external API answers: whose token is this? */
export type LoadToken = (token: string) => Promise<LiveToken | undefined>;

/** Sessions as this process knows them: asked once, kept for seconds, forgotten at once when an event says so. */
export interface Sessions {
  load: LoadSession;
  forgetUser(userId: number): void;
  forgetSession(sessionId: string): void;
  forgetCompany(companyId: number): void;
  forgetAll(): void;
}

/** In a process without the event tail this is how long a right that was taken away still works. */
const KEPT_MS = 3_000;

export function createSessions(load: LoadSession, clock: Clock): Sessions {
  const known = new LRUCache<string, Kept>({ max: 20_000 });

  function forgetWhere(matches: (kept: Kept) => boolean): void {
    const keys = [...known.entries()].filter(([, kept]) => matches(kept)).map(([key]) => key);
    keys.forEach((key) => known.delete(key));
  }

  return {
    load(claims) {
      const { sessionId, userId, companyId } = claims;
      const at = clock.now().getTime();
      const kept = known.get(sessionId);
      if (kept?.userId === userId && Math.abs(at - kept.at) < KEPT_MS) {
        return kept.session;
      }
      const session = load(claims);
      known.set(sessionId, { session, at, userId, companyId });
      // A failure is not an answer: the next call asks again.
      session.catch(() => known.delete(sessionId));
      return session;
    },
    forgetUser: (userId) => forgetWhere((kept) => kept.userId === userId),
    forgetSession: (sessionId) => void known.delete(sessionId),
    forgetCompany: (companyId) => forgetWhere((kept) => kept.companyId === companyId),
    forgetAll: () => known.clear(),
  };
}

interface Kept {
  readonly session: Promise<LiveSession | undefined>;
  readonly at: number;
  readonly userId: number;
  readonly companyId: number;
}
