import type { PlanFlag } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock/index.ts";
import type { Actor, UserActor } from "../ctx.ts";

/** The last paid day of a company, and the end of that day and the days of grace in the company's time zone. */
export interface PaidUntil {
  /** 2026-03-01 */
  readonly lastDay: string;
  /** From then on only endpoints with `whenOverdue` are allowed. */
  readonly endsAt: Date;
}

/** The company's time zone by name, and its language. */
export interface CompanyLocale {
  readonly timeZone: string;
  readonly language: Language;
}

/** Rights that depend on the company: active, paid, plan; and its locale. */
export interface CompanyStatus {
  readonly isActive: boolean;
  /** Null: without due date. */
  readonly paid: PaidUntil | null;
  readonly plan: Readonly<Record<PlanFlag, boolean>>;
  readonly locale: CompanyLocale;
}

/** A valid session: the actor and the status of the company. */
export interface LiveSession extends CompanyStatus {
  readonly actor: UserActor;
  /** When it ends whatever happens: a support session with the company's consent. */
  readonly endsAt?: Date;
  /** When it ends unless it is renewed, as its refresh does; an open socket asks again then. */
  readonly expiresAt?: Date;
}

/** A valid API token of a connection (external messages API). */
export interface LiveToken extends CompanyStatus {
  readonly actor: Extract<Actor, { kind: "line" }>;
}

/** A valid API key of a company: a session with scopes. */
export interface LiveApiKey extends LiveSession {
  readonly scopes: readonly string[];
}

/** Loads an API key. Undefined when it was revoked, is over, or never existed. */
export type LoadApiKey = (key: string) => Promise<LiveApiKey | undefined>;

/** Loads a session. Undefined when it was signed out or replaced, or never existed. */
export type LoadSession = (claims: {
  readonly userId: number;
  readonly companyId: number;
  readonly sessionId: string;
}) => Promise<LiveSession | undefined>;

/** Loads an API token. */
export type LoadToken = (token: string) => Promise<LiveToken | undefined>;

/** Cache of sessions in this process: kept for 3 s, and dropped at once by events. */
export interface Sessions {
  load: LoadSession;
  forgetUser(userId: number): void;
  forgetSession(sessionId: string): void;
  forgetCompany(companyId: number): void;
  forgetAll(): void;
}

/** Without the event tail, revoked rights still work this long. */
const TTL_MS = 3_000;

export function createSessions(load: LoadSession, clock: Clock): Sessions {
  const cache = new LRUCache<string, CacheEntry>({ max: 20_000 });

  function forgetWhere(matches: (entry: CacheEntry) => boolean): void {
    const keys = [...cache.entries()].filter(([, entry]) => matches(entry)).map(([key]) => key);
    keys.forEach((key) => cache.delete(key));
  }

  return {
    load(claims) {
      const { sessionId, userId, companyId } = claims;
      const at = clock.now().getTime();
      const entry = cache.get(sessionId);
      if (
        entry?.userId === userId &&
        entry.companyId === companyId &&
        Math.abs(at - entry.at) < TTL_MS &&
        entry.endsAt > at
      ) {
        return entry.session;
      }
      const session = load(claims);
      const added: CacheEntry = { session, at, endsAt: Number.POSITIVE_INFINITY, userId, companyId };
      cache.set(sessionId, added);
      session.then(
        (loaded) => (added.endsAt = loaded?.endsAt?.getTime() ?? added.endsAt),
        // A failure is not cached: the next call loads again.
        () => cache.delete(sessionId),
      );
      return session;
    },
    forgetUser: (userId) => forgetWhere((entry) => entry.userId === userId),
    forgetSession: (sessionId) => void cache.delete(sessionId),
    forgetCompany: (companyId) => forgetWhere((entry) => entry.companyId === companyId),
    forgetAll: () => cache.clear(),
  };
}

interface CacheEntry {
  readonly session: Promise<LiveSession | undefined>;
  readonly at: number;
  /** In ms since 1970: a session that ends at a moment is not kept beyond it. */
  endsAt: number;
  readonly userId: number;
  readonly companyId: number;
}
