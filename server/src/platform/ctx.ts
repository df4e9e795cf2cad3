import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { ErrorCode } from "@prosa/contract";
import type { Database } from "./db/database.ts";
import type { RawQuery } from "./db/raw.ts";

/** Who acts. Rights are decided from this alone, never from what a request says about itself. */
export type Actor =
  | {
      readonly kind: "user";
      readonly userId: number;
      readonly companyId: number;
      readonly name: string;
      readonly profile: "user" | "supervisor" | "admin";
      readonly isSuper: boolean;
      /** Sees pending tickets that have no queue (spec: "enabled" / "desabled"). */
      readonly allTicket: boolean;
      readonly queueIds: readonly number[];
      readonly sessionId: string;
    }
  | { readonly kind: "system"; readonly companyId: number; readonly reason: string }
  | { readonly kind: "line"; readonly companyId: number; readonly connectionId: number };

export type UserActor = Extract<Actor, { kind: "user" }>;

/** Something that happened, as a row of event_log: ids and small facts, never a view. Types are `noun.happened`. */
export interface DomainEvent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Work that leaves the process or may wait, as a row of jobs written in the same transaction. */
export interface NewJob {
  readonly task: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Jobs of one lane run one at a time, in order, even over a retry (for example `chat:42`). */
  readonly lane?: string;
  /** Only a worker that holds this affinity may run it (for example `line:7`: the process that owns the line). */
  readonly affinity?: string;
  /** At most one waiting job has this key; a later one replaces its payload and time. */
  readonly key?: string;
  readonly runAt?: Date;
  /** Default 5; then the dead-letter list. */
  readonly maxAttempts?: number;
}

/**
 * One transaction of one company, and the only way to data. Row-level security is set for `companyId` on it.
 * Events and jobs are buffered and written with the rows just before COMMIT; nothing leaves the process before it.
 */
export interface Ctx {
  readonly actor: Actor;
  readonly companyId: number;
  /** Kysely on this transaction's connection. */
  readonly db: Kysely<Database>;
  /** Named prepared statements on the same connection, for the hottest queries. */
  readonly raw: RawQuery;
  readonly log: Logger;
  now(): Date;
  emit(event: DomainEvent): void;
  enqueue(job: NewJob): void;
  /** The company's value as this process knows it; read again after an event that it names as making it stale. */
  cached<T>(what: Cached<T>, asked?: CacheRead): Promise<T>;
}

/** Something small of a company that hot paths ask for again and again: its settings, its queues. */
export interface Cached<T> {
  readonly name: string;
  /** Types of events after which it is read again, in every process that hears the event log. */
  readonly staleAfter: readonly string[];
  readonly load: (ctx: Ctx) => Promise<T>;
}

export interface CacheRead {
  /** Read it anew: what is kept cannot be all, for instance where a row names what it does not know. */
  readonly refresh?: boolean;
}

/** Throw it anywhere; the edge turns it into the wire error. Details may be shown to the user: no secrets. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, details?: Readonly<Record<string, unknown>>, options?: ErrorOptions) {
    super(code, options);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}
