import type { Logger } from "pino";
import type { Clock } from "../clock/index.ts";
import type { Ctx } from "../ctx.ts";
import type { Db } from "../db/index.ts";

/** A job that this process has leased. */
export interface Job {
  readonly id: number;
  /** Null for work of the machinery itself. */
  readonly companyId: number | null;
  readonly task: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly lane: string | null;
  readonly affinity: string | null;
  readonly key: string | null;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly leasedBy: string;
}

export interface JobDeps {
  /** A transaction of the job's company. Open as many as needed, and none while talking to the outside. */
  inCompany<T>(work: (ctx: Ctx) => Promise<T>, options?: { readonly retry?: boolean }): Promise<T>;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the lease is lost or the process ends: whoever goes on now does it a second time. */
  readonly signal: AbortSignal;
}

/**
 * Does one job. It may run more than once (a process can die before it reports), so what leaves the process carries an
 * id that the receiver recognises. Throw to have it tried again.
 */
export type JobHandler = (job: Job, deps: JobDeps) => Promise<void>;

/**
 * Throw it in a handler when what the job needs is away: it is tried again after this time without losing a try, and
 * keeps its place in its lane, so that nothing behind it goes first.
 */
export class Later extends Error {
  override readonly name = "Later";
  readonly afterMs: number;

  constructor(afterMs: number, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.afterMs = afterMs;
  }
}

/** Throw it in a handler when trying again cannot help: the job goes to the dead letters at once. */
export class NoRetry extends Error {
  override readonly name = "NoRetry";
}
