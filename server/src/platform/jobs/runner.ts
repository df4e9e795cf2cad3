import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock/index.ts";
import { brokenConstraint } from "../db/index.ts";
import type { Db, SystemTx } from "../db/index.ts";
import { isKnownDead, processName } from "../processes/index.ts";
import { backOffSeconds } from "./back-off.ts";
import { createCronClock, cronTask, renamedCronTasks } from "./cron.ts";
import type { Cron } from "./cron.ts";
import { inBatches } from "./in-batches.ts";
import {
  buryJob,
  claimJobs,
  claimNextOf,
  endLeases,
  findRunners,
  finishJobs,
  lockExpired,
  releaseJob,
  renewLeases,
} from "./job-store.ts";
import type { Claim } from "./job-store.ts";
import { Later, NoRetry } from "./job.ts";
import type { Job, JobDeps, JobHandler } from "./job.ts";
import { currentTaskName } from "./renamed-task.ts";
import type { RenamedTask } from "./renamed-task.ts";

const POLL_MS = 1_000;
const RENEW_MS = 3_000;
const STOP_WITHIN_MS = 10_000;
const REPORT_TRIES = 10;
const REPORT_AGAIN_MS = 500;
const LONGEST_STREAK = 50;
const ONE_A_LANE = "jobs_one_leased_per_lane";

export interface JobRunnerOptions {
  readonly db: Db;
  /** Jobs of other tasks are left to processes that know them. */
  readonly tasks: Readonly<Record<string, JobHandler>>;
  readonly crons?: readonly Cron[];
  /** Tasks whose jobs may also stand in the table under a former name. */
  readonly renamedTasks?: readonly RenamedTask[];
  /** Which bound jobs are ours now, for example `line:7`. Call `wake` when it grows. */
  readonly affinities?: () => ReadonlySet<string>;
  /** Whether this process takes jobs without affinity, and crons. Default true. */
  readonly isWorker?: boolean;
  /** Jobs at a time. Default 8. */
  readonly concurrency?: number;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface JobRunner {
  start(): Promise<void>;
  /** Looks for jobs now. */
  wake(): void;
  /** For tests: runs due jobs, and those that they enqueue, until none is due. */
  drain(): Promise<void>;
  /** Takes no more jobs, waits up to 10 s for the running ones, gives the others back. */
  stop(): Promise<void>;
}

interface Running {
  readonly job: Job;
  readonly lease: AbortController;
  readonly done: Promise<void>;
  /** How many jobs of its lane ran here one after the other. */
  readonly streak: number;
}

/** Runs the jobs of the table `jobs` under leases, next to any number of other runners. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { db, clock, log, crons = [], isWorker = true, concurrency = 8 } = options;
  const affinities = options.affinities ?? (() => new Set<string>());
  const tasks: ReadonlyMap<string, JobHandler> = new Map([
    ...Object.entries(options.tasks),
    ...crons.map((cron) => [cronTask(cron), (_job: Job, deps: JobDeps) => cron.run(deps)] as const),
  ]);
  const renamed = [...(options.renamedTasks ?? []), ...renamedCronTasks(crons)];
  const taskNames = [
    ...tasks.keys(),
    ...renamed.filter(({ name }) => tasks.has(name)).map(({ formerName }) => formerName),
  ];
  const runner = processName();
  const running = new Map<number, Running>();
  const finish = inBatches(finishAndFollow);
  const cronClock = createCronClock(db, isWorker ? crons : []);
  const timers: NodeJS.Timeout[] = [];
  let isStopping = false;
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;
  let isWanted = false;
  let unsubscribe: (() => void) | undefined;

  /** Leases up to `limit` jobs and starts them. Returns how many. */
  async function take(limit: number): Promise<number> {
    const jobs = await fenced(() => claimJobs(db.systemRaw, { ...claim(), limit }));
    jobs.forEach((job) => begin(job, 1));
    return jobs.length;
  }

  /**
   * Removes done jobs and goes on with their lanes: a lane of thousands must not be looked through for each step.
   * Not without end, or a few long lanes would keep all the others waiting.
   */
  async function finishAndFollow(done: readonly Job[]): Promise<void> {
    await finishJobs(db.systemRaw, runner, done);
    const streaks = new Map(
      done.flatMap(({ id, lane }) => (lane === null ? [] : [[lane, running.get(id)?.streak ?? 1] as const])),
    );
    const lanes = [...streaks].filter(([, streak]) => streak < LONGEST_STREAK).map(([lane]) => lane);
    if (lanes.length > 0 && !isStopping) {
      const next = await calmly(() => fenced(() => claimNextOf(db.systemRaw, lanes, claim())));
      next?.forEach((job) => begin(job, (streaks.get(job.lane ?? "") ?? 0) + 1));
    }
  }

  function begin(claimed: Job, streak: number): void {
    const job = { ...claimed, task: currentTaskName(renamed, claimed.task) };
    const lease = new AbortController();
    const done = run(job, lease.signal).finally(() => {
      running.delete(job.id);
      wake();
    });
    running.set(job.id, { job, lease, done, streak });
  }

  function claim(): Claim {
    return { runner, now: clock.now(), tasks: taskNames, limit: 1, isWorker, affinities: [...affinities()] };
  }

  async function run(job: Job, signal: AbortSignal): Promise<void> {
    const jobLog = log.child({ job: job.id, task: job.task, company: job.companyId });
    try {
      await tasks.get(job.task)?.(job, dependencies(job, signal, jobLog));
    } catch (error) {
      if (error instanceof Later) {
        const runAt = new Date(clock.now().getTime() + error.afterMs);
        await report(jobLog, () =>
          db.systemTx((tx) => releaseJob(tx, job, { runAt, error: error.message, isFree: true })),
        );
        return;
      }
      jobLog.warn({ err: error, attempt: job.attempt }, "job failed");
      await report(jobLog, () => db.systemTx((tx) => fail(tx, job, error)));
      return;
    }
    await report(jobLog, () => finish(job));
  }

  function dependencies(job: Job, signal: AbortSignal, jobLog: Logger): JobDeps {
    return {
      db,
      clock,
      signal,
      log: jobLog,
      inCompany(work, { retry = false } = {}) {
        const { companyId } = job;
        if (companyId === null) {
          throw new NoRetry(`Job ${job.task} belongs to no company`);
        }
        const actor = { kind: "system", companyId, reason: `job ${job.task}` } as const;
        return db.inCompany({ actor, companyId, clock, log: jobLog, retry }, work);
      },
    };
  }

  async function fail(tx: SystemTx, job: Job, error: unknown): Promise<void> {
    const text = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1_000) : "unknown error";
    if (job.attempt >= job.maxAttempts || error instanceof NoRetry) {
      await buryJob(tx, job, text);
    } else {
      const runAt = new Date(clock.now().getTime() + backOffSeconds(job) * 1_000);
      await releaseJob(tx, job, { runAt, error: text });
    }
  }

  /** Frees what dead processes held. A job that took its process down with it each time is buried in the end. */
  async function sweep(): Promise<void> {
    await endLeasesOfTheDead();
    await db.systemTx(async (tx) => {
      for (const expired of await lockExpired(tx.raw)) {
        const job = { ...expired, task: currentTaskName(renamed, expired.task) };
        const error = `The process ${job.leasedBy} went away`;
        await (job.attempt >= job.maxAttempts ? buryJob(tx, job, error) : releaseJob(tx, job, { error }));
      }
    });
  }

  /** After a crash nothing waits for the leases of the process that died here. */
  async function endLeasesOfTheDead(): Promise<void> {
    const dead = (await findRunners(db.systemRaw)).filter(isKnownDead);
    if (dead.length > 0) {
      await endLeases(db.systemRaw, dead);
    }
  }

  async function renew(): Promise<void> {
    if (running.size === 0) {
      return;
    }
    const mine = [...running.values()];
    const kept = await renewLeases(
      db.systemRaw,
      runner,
      mine.map(({ job }) => job),
    );
    for (const { job, lease } of mine) {
      // A job that has just been reported is gone as well; aborting it then hurts nobody.
      if (!kept.has(job.id)) {
        lease.abort(new Error(`The lease of job ${job.id} was lost`));
      }
    }
  }

  async function look(): Promise<void> {
    isLooking = true;
    while (isWanted && !isStopping) {
      isWanted = false;
      const room = concurrency - running.size;
      if (room > 0 && (await calmly(() => take(room))) === room) {
        isWanted = true;
      }
    }
    isLooking = false;
  }

  function wake(): void {
    if (timers.length > 0 && !isStopping) {
      isWanted = true;
      // With no room left it ends at once, before its promise is kept.
      if (!isLooking) {
        looking = look();
      }
    }
  }

  /** The database may be away for a moment; the next poll comes. */
  async function calmly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      log.warn({ err: error }, "the job runner could not reach the database");
      return undefined;
    }
  }

  async function poll(): Promise<void> {
    await calmly(sweep);
    await calmly(() => cronClock.fire(clock.now()));
    wake();
  }

  return {
    async start() {
      await cronClock.fire(clock.now());
      unsubscribe = db.listenNotify.listen("jobs", wake);
      timers.push(setInterval(() => void poll(), POLL_MS).unref());
      timers.push(setInterval(() => void calmly(renew), RENEW_MS).unref());
      await poll();
    },
    wake,
    async drain() {
      await sweep();
      await cronClock.fire(clock.now());
      for (;;) {
        // A claim may look while a job of the lane still runs: only one that began in silence proves that all is done.
        const isIdle = running.size === 0;
        const room = concurrency - running.size;
        const taken = room > 0 ? await take(room) : 0;
        if (isIdle && taken === 0) {
          return;
        }
        if (running.size > 0) {
          await Promise.race([...running.values()].map(({ done }) => done));
        }
      }
    },
    async stop() {
      isStopping = true;
      unsubscribe?.();
      timers.forEach(clearInterval);
      await looking;
      await Promise.race([
        Promise.all([...running.values()].map(({ done }) => done)),
        sleep(STOP_WITHIN_MS, undefined, { ref: false }),
      ]);
      for (const { job, lease } of running.values()) {
        lease.abort(new Error("The process ends"));
        await calmly(() => db.systemTx((tx) => releaseJob(tx, job, { isFree: true })));
      }
    },
  };
}

/** Claims again where another runner leased a job of the same lane in the same moment. */
async function fenced<T>(take: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await take();
    } catch (error) {
      if (brokenConstraint(error) !== ONE_A_LANE) {
        throw error;
      }
    }
  }
}

/** Reports an outcome, again while the database is away: an unreported job would run a second time. */
async function report(log: Logger, save: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await save();
    } catch (error) {
      if (attempt === REPORT_TRIES) {
        log.error({ err: error }, "the outcome of a job could not be saved; it will run again");
        return;
      }
      await sleep(REPORT_AGAIN_MS, undefined, { ref: false });
    }
  }
}
