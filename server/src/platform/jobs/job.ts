import type { Logger } from "pino";
import type { Clock } from "../clock/index.ts";
import type { Ctx } from "../ctx.ts";
import type { Db } from "../db/index.ts";
import type { JobPriority } from "../job-priority.ts";

/** A job that this process has leased. */
export interface Job {
  readonly id: number;
  /** Null for jobs of the platform itself. */
  readonly companyId: number | null;
  readonly task: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly lane: string | null;
  readonly affinity: string | null;
  readonly key: string | null;
  readonly priority: JobPriority;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly leasedBy: string;
}

export interface JobDeps {
  /** A transaction of the job's company. Open as many as needed, but none during an external call. */
  inCompany<T>(work: (ctx: Ctx) => Promise<T>, options?: { readonly retry?: boolean }): Promise<T>;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the lease is lost or the process stops: another process may run the job from then on. */
  readonly signal: AbortSignal;
}

/**
 * Runs one job, at least once: a process can die before the outcome is saved, so external calls carry an idempotency
 * id. Throw to retry.
 */
export type JobHandler = (job: Job, deps: JobDeps) => Promise<void>;

interface RetryLaterOptions extends ErrorOptions {
  /** It got on with its work: the attempts that failed before count no more, those of its next step count anew. */
  readonly isProgress?: boolean;
}

/**
 * Throw it in a handler while something that the job needs is unavailable, or between two steps of a long work: the job is
 * retried after this time, without counting the attempt, and keeps its place in its lane.
 */
export class RetryLater extends Error {
  override readonly name = "Later";
  readonly afterMs: number;
  readonly isProgress: boolean;

  constructor(afterMs: number, reason: string, { isProgress = false, ...options }: RetryLaterOptions = {}) {
    super(reason, options);
    this.afterMs = afterMs;
    this.isProgress = isProgress;
  }
}

/** Throw it in a handler when a retry cannot help: the job goes to the dead letters at once. */
export class NoRetry extends Error {
  override readonly name = "NoRetry";
}
