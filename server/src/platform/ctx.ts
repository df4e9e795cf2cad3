import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { ErrorCode } from "@prosa/contract";
import type { Database } from "./db/database.ts";
import type { RawQuery, Statement } from "./db/raw.ts";
import type { JobPriority } from "./job-priority.ts";

/** Who acts. Rights are derived from this alone, never from request data. */
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
      /** The company's key that acts in this person's name, if it is not they themselves (V-06). */
      readonly apiKey?: { readonly id: string; readonly name: string };
      /** An operator in another company, with its consent: `userId` is theirs and none of this company (decision 0225). */
      readonly support?: { readonly grantId: number; readonly homeSessionId: string };
    }
  | { readonly kind: "system"; readonly companyId: number; readonly reason: string }
  | { readonly kind: "line"; readonly companyId: number; readonly connectionId: number };

export type UserActor = Extract<Actor, { kind: "user" }>;

/** A domain event, a row of event_log: ids and small facts, never a view. Types look like `ticket.updated`. */
export interface DomainEvent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A job, written to the table jobs in the same transaction: work that calls external services or may wait. */
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
  /** Default notice. A waiting job of the same key, and those ahead in the lane, become as urgent as this one, never less. */
  readonly priority?: JobPriority;
  /** Default 5; then the job goes to the dead letters. */
  readonly maxAttempts?: number;
}

/**
 * One transaction of one company, and the only access to data. Row-level security is set to `companyId`. Events and jobs
 * are buffered and written just before COMMIT; nothing leaves the process before it.
 */
export interface Ctx {
  readonly actor: Actor;
  readonly companyId: number;
  /** Kysely on this transaction's connection. */
  readonly db: Kysely<Database>;
  /** Named prepared statements on the same connection, for the hottest queries. */
  readonly raw: RawQuery;
  /** The same, of a statement that writes: it also stores the events and jobs so far, which spares the outbox its own. */
  readonly rawWithOutbox: RawQuery;
  /** A statement of plain values, left in flight where nobody needs its answer: the end of the transaction follows it, and its error is the transaction's (decision 0301). */
  leave(statement: Statement<never>, values: readonly unknown[]): void;
  /** The same with the events and jobs so far. */
  leaveWithOutbox(statement: Statement<never>, values: readonly unknown[]): void;
  readonly log: Logger;
  now(): Date;
  emit(event: DomainEvent): void;
  enqueue(job: NewJob): void;
  /** A cached value of the company, loaded again after an event that invalidates it. */
  cached<T>(value: Cached<T>, options?: CacheRead): Promise<T>;
}

/** A small value of a company that hot paths read often: its settings, its queues. */
export interface Cached<T> {
  readonly name: string;
  /** Event types that invalidate it, in every process that follows the event log. */
  readonly staleAfter: readonly string[];
  /** What such an event leaves of it: the value itself, another one that `load` completes, or (by default) nothing. */
  keptAfter?(value: T, event: DomainEvent): T | undefined;
  load(ctx: Ctx, kept?: T): Promise<T>;
}

export interface CacheRead {
  /** Bypass the cache, for instance when a row refers to something that the cached value lacks. */
  readonly refresh?: boolean;
}

/** An error of the contract: throw it anywhere, the HTTP layer writes the response. Details are shown to the user: no secrets. */
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

/** The user who acts; throws ERR_NO_PERMISSION for a system, a line and a stranger. */
export function requireUser({ actor }: { readonly actor: Actor | undefined }): UserActor {
  if (actor?.kind !== "user") {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return actor;
}
