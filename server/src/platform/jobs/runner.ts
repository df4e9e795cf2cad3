import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { setCoalescedInterval } from "../clock/index.ts";
import type { Clock } from "../clock/index.ts";
import { brokenConstraint } from "../db/index.ts";
import type { Db } from "../db/index.ts";
import { isKnownDead, processName } from "../processes/index.ts";
import { allowanceOf, claimSteps, createShares } from "./claim-order.ts";
import type { JobKind } from "./claim-order.ts";
import { createCronClock, cronTask, renamedCronTasks } from "./cron.ts";
import type { Cron } from "./cron.ts";
import { giveWay } from "./give-way.ts";
import { inBatches } from "./in-batches.ts";
import { claimJobs, claimNextInLanes, finishJobs, lookForWork, releaseJob, renewLeases } from "./job-store.ts";
import type { Claim, Outlook } from "./job-store.ts";
import { RetryLater, NoRetry } from "./job.ts";
import type { Job, JobDeps, JobHandler } from "./job.ts";
import { traced } from "../tracing/index.ts";
import { releaseExpired } from "./release-expired.ts";
import { currentTaskName } from "./renamed-task.ts";
import type { RenamedTask } from "./renamed-task.ts";
import { retryOrGiveUp } from "./retry-policy.ts";

const POLL_MS = 1_000;
/** One poll in so many looks where nothing but a NOTIFY is expected. */
const LOOK_ANYWAY = 10;
const RENEW_MS = 3_000;
const STOP_WITHIN_MS = 10_000;
const SAVE_ATTEMPTS = 10;
const SAVE_RETRY_MS = 500;
const MAX_STREAK = 50;
/** For jobs that nobody waits for, while there are more due jobs than slots. */
const MAX_CROWDED_STREAK = 5;
const LANE_CONSTRAINT = "jobs_one_leased_per_lane";

export interface JobRunnerOptions {
  readonly db: Db;
  /** Handlers by task. Jobs of other tasks are left to processes that have them. */
  readonly tasks: Readonly<Record<string, JobHandler>>;
  readonly crons?: readonly Cron[];
  /** Tasks whose jobs may also stand in the table under a former name. */
  readonly renamedTasks?: readonly RenamedTask[];
  /** Affinities that this process holds now, for example `line:7`. Call `wake` when the set grows. */
  readonly affinities?: () => ReadonlySet<string>;
  /** Whether this process runs crons and jobs without affinity. Default true. */
  readonly isWorker?: boolean;
  /** Maximum of jobs at a time. Default 8. */
  readonly concurrency?: number;
  /**
   * Tasks that mostly wait for a service outside. They take none of these slots, so that slow ones delay nobody, and each has slots of
   * its own. Not renamed ones.
   */
  readonly waitingTasks?: readonly string[];
  /** Jobs of each waiting task at a time; a claim may start a few more. Default 100. */
  readonly waitingConcurrency?: number;
  /** How late browsers get events, in ms; jobs that no person waits for give way then. */
  readonly lagMs?: () => number;
  /** Called after each job, for metrics. `later`: it asked to be run again. */
  readonly onJob?: (task: string, outcome: "done" | "later" | "failed", seconds: number) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface JobRunner {
  start(): Promise<void>;
  /** Claims due jobs now. */
  wake(): void;
  /** For tests: runs due jobs, and those that they enqueue, until none is due. */
  drain(): Promise<void>;
  /** Stops claiming, waits up to 10 s for running jobs, and releases those that are left. */
  stop(): Promise<void>;
}

interface Running {
  readonly job: Job;
  readonly lease: AbortController;
  readonly done: Promise<void>;
  /** How many jobs of its lane ran here in a row. */
  readonly streak: number;
}

/** Runs the jobs of the table `jobs` under leases, next to any number of other runners. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { db, clock, log, crons = [], isWorker = true, concurrency = 8, lagMs = () => 0 } = options;
  const waitingTasks = new Set(options.waitingTasks);
  const { waitingConcurrency = 100 } = options;
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
  const timers: (() => void)[] = [];
  const shares = createShares();
  let isFreeFirst = false;
  // There may be more due jobs than slots.
  let isCrowded = false;
  let isStopping = false;
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;
  let isWanted = false;
  let wakes = 0;
  let polls = 0;
  /** What the last look found; undefined if jobs may have come or gone since. */
  let lastLook: Outlook | undefined;
  let unsubscribe: (() => void) | undefined;

  /** Leases up to `limit` jobs and starts them. Returns how many. */
  async function claimAndStart(limit: number): Promise<number> {
    const allowance = allowanceOf(
      concurrency,
      busy().map(({ job }) => job.priority),
    );
    const scope = claim();
    const steps = claimSteps({ limit, allowance, kinds: nextKinds(scope), shares: shares.due(limit) });
    const jobs = await retryLaneConflict(() => claimJobs(db.systemRaw, scope, { limit, allowance, steps }));
    jobs.forEach((job) => begin(job, 1));
    isCrowded = jobs.length === limit;
    return jobs.length;
  }

  /**
   * Deletes finished jobs and claims the next one of each lane directly, because a claim scans a long lane. Limited in a row,
   * so that a few long lanes do not starve the others.
   */
  async function finishAndFollow(done: readonly Job[]): Promise<void> {
    await finishJobs(db.systemRaw, runner, done);
    const streaks = new Map(done.map(({ id, lane }) => [lane, running.get(id)?.streak ?? 1] as const));
    const followed = done.filter(({ lane, priority }) => {
      const isUrgent = priority === "interactive" || priority === "bot";
      const most = isCrowded && !isUrgent ? MAX_CROWDED_STREAK : MAX_STREAK;
      return lane !== null && (streaks.get(lane) ?? 1) < most;
    });
    if (followed.length > 0 && !isStopping) {
      const next = await tolerateOutage(() =>
        retryLaneConflict(() => claimNextInLanes(db.systemRaw, followed, claim())),
      );
      next?.forEach((job) => begin(job, (streaks.get(job.lane) ?? 0) + 1));
    }
  }

  function begin(claimed: Job, streak: number): void {
    const job = { ...claimed, task: currentTaskName(renamed, claimed.task) };
    const lease = new AbortController();
    const done = run(job, lease.signal).finally(() => {
      // Its lease may have been lost and the job begun here once more: that entry is the later attempt's.
      if (running.get(job.id)?.lease === lease) {
        running.delete(job.id);
      }
      wake();
    });
    running.get(job.id)?.lease.abort(leaseLost(job));
    running.set(job.id, { job, lease, done, streak });
    shares.count(job.priority);
  }

  /** Bound and free jobs go first in turn, so that neither waits for the other to run dry. */
  function nextKinds({ affinities: held }: Claim): JobKind[] {
    isFreeFirst = !isFreeFirst;
    const bound = held.length > 0 ? (["bound"] as const) : [];
    const free = isWorker ? (["free"] as const) : [];
    return isFreeFirst ? [...free, ...bound] : [...bound, ...free];
  }

  function claim(): Claim {
    const counts = new Map<string, number>();
    for (const { job } of running.values()) {
      counts.set(job.task, (counts.get(job.task) ?? 0) + 1);
    }
    const isFull = (name: string) => waitingTasks.has(name) && (counts.get(name) ?? 0) >= waitingConcurrency;
    const names = taskNames.filter((name) => !isFull(name));
    return { runner, now: clock.now(), tasks: names, isWorker, affinities: [...affinities()] };
  }

  /** Running jobs that take a slot. */
  function busy(): Running[] {
    return [...running.values()].filter(({ job }) => !waitingTasks.has(job.task));
  }

  async function run(job: Job, signal: AbortSignal): Promise<void> {
    const jobLog = log.child({ job: job.id, task: job.task, company: job.companyId });
    const began = performance.now();
    const report = (outcome: "done" | "later" | "failed") =>
      options.onJob?.(job.task, outcome, (performance.now() - began) / 1_000);
    try {
      await traced(
        () => ({
          name: `job ${job.task}`,
          kind: "consumer",
          attributes: { "prosa.task": job.task, "prosa.job": job.id, "prosa.attempt": job.attempt },
        }),
        async () => tasks.get(job.task)?.(job, dependencies(job, signal, jobLog)),
      );
    } catch (error) {
      if (error instanceof RetryLater) {
        report("later");
        const runAt = new Date(clock.now().getTime() + error.afterMs);
        const uncounted = error.isProgress ? job.attempt : 1;
        await saveOutcome(jobLog, () =>
          db.systemTx((tx) => releaseJob(tx, job, { runAt, error: error.message, uncounted })),
        );
        return;
      }
      report("failed");
      jobLog.warn({ err: error, attempt: job.attempt }, "job failed");
      await saveOutcome(jobLog, () => db.systemTx((tx) => retryOrGiveUp(tx, job, error, clock.now())));
      return;
    }
    report("done");
    await saveOutcome(jobLog, () => finish(job));
  }

  function dependencies(job: Job, signal: AbortSignal, jobLog: Logger): JobDeps {
    return {
      db,
      clock,
      signal,
      log: jobLog,
      async inCompany(work, { retry = false } = {}) {
        const { companyId } = job;
        if (companyId === null) {
          throw new NoRetry(`Job ${job.task} belongs to no company`);
        }
        const actor = { kind: "system", companyId, reason: `job ${job.task}` } as const;
        await giveWay(job.priority, lagMs, signal);
        return db.inCompany({ actor, companyId, clock, log: jobLog, retry }, work);
      },
    };
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
      // A job whose outcome was just saved is missing as well; aborting its signal has no effect then.
      if (!kept.has(job.id)) {
        lease.abort(leaseLost(job));
      }
    }
  }

  /** Own leases are renewed first: after an outage of the database they have ended as well, while their jobs still run. */
  async function releaseLost(): Promise<void> {
    await renew();
    await releaseExpired(db, renamed);
  }

  async function claimLoop(): Promise<void> {
    isLooking = true;
    while (isWanted && !isStopping) {
      isWanted = false;
      const free = concurrency - busy().length;
      isCrowded ||= free <= 0;
      if (free > 0 && (await tolerateOutage(() => claimAndStart(free))) === free) {
        isWanted = true;
      }
    }
    isLooking = false;
  }

  function wake(): void {
    wakes += 1;
    lastLook = undefined;
    if (timers.length > 0 && !isStopping) {
      isWanted = true;
      // With no free slot claimLoop returns before this assignment, so isLooking decides and not the promise.
      if (!isLooking) {
        looking = claimLoop();
      }
    }
  }

  /** Logs a failure and returns undefined: the database may be away for a moment, and the next poll retries. */
  async function tolerateOutage<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      log.warn({ err: error }, "job runner step failed; the next poll retries");
      return undefined;
    }
  }

  /**
   * No job that could become due or be lost without a NOTIFY: none is leased by anybody, and none waits for a line, which may
   * make it due (`hastenJobs`).
   */
  function mayRest(): boolean {
    polls += 1;
    const isQuiet =
      lastLook !== undefined &&
      lastLook.runners.length === 0 &&
      !lastLook.isBoundWaiting &&
      (lastLook.freeAt === null || lastLook.freeAt > clock.now());
    return isQuiet && polls % LOOK_ANYWAY !== 0 && db.listenNotify.isHeard();
  }

  async function poll(): Promise<void> {
    await tolerateOutage(() => cronClock.fire(clock.now()));
    if (mayRest()) {
      return;
    }
    const before = wakes;
    const outlook = await tolerateOutage(() => lookForWork(db.systemRaw, claim()));
    lastLook = wakes === before ? outlook : undefined;
    const isSomeLost = outlook !== undefined && (outlook.isLeaseExpired || outlook.runners.some(isKnownDead));
    if (isSomeLost) {
      await tolerateOutage(releaseLost);
    }
    const isDue =
      outlook !== undefined && (outlook.isBoundDue || (outlook.freeAt !== null && outlook.freeAt <= clock.now()));
    if (isSomeLost || isDue) {
      wake();
    }
  }

  return {
    async start() {
      await cronClock.fire(clock.now());
      unsubscribe = db.listenNotify.listen("jobs", wake);
      timers.push(setCoalescedInterval(() => void poll(), POLL_MS));
      timers.push(setCoalescedInterval(() => void tolerateOutage(renew), RENEW_MS));
      await poll();
    },
    wake,
    async drain() {
      await releaseLost();
      await cronClock.fire(clock.now());
      for (;;) {
        // A claim skips lanes with a running job: only a claim that began with no job running proves that none is due.
        const isIdle = running.size === 0;
        const free = concurrency - busy().length;
        const claimed = free > 0 ? await claimAndStart(free) : 0;
        if (isIdle && claimed === 0) {
          return;
        }
        const mayBeMore = claimed > 0 && claimed === free;
        if (running.size > 0 && !mayBeMore) {
          await Promise.race([...running.values()].map(({ done }) => done));
        }
      }
    },
    async stop() {
      isStopping = true;
      unsubscribe?.();
      timers.forEach((end) => end());
      await looking;
      await Promise.race([
        Promise.all([...running.values()].map(({ done }) => done)),
        sleep(STOP_WITHIN_MS, undefined, { ref: false }),
      ]);
      for (const { job, lease } of running.values()) {
        lease.abort(new Error("the process is stopping"));
        await tolerateOutage(() => db.systemTx((tx) => releaseJob(tx, job, { uncounted: 1 })));
      }
    },
  };
}

function leaseLost({ id }: Job): Error {
  return new Error(`The lease of job ${id} was lost`);
}

/** Claims again when another runner leased a job of the same lane at the same moment (unique index per lane). */
async function retryLaneConflict<T>(claim: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await claim();
    } catch (error) {
      if (brokenConstraint(error) !== LANE_CONSTRAINT) {
        throw error;
      }
    }
  }
}

/** Saves the outcome of a job and retries while the database is away: a job without an outcome runs again. */
async function saveOutcome(log: Logger, save: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await save();
    } catch (error) {
      if (attempt === SAVE_ATTEMPTS) {
        log.error({ err: error }, "job outcome not saved; the job will run again");
        return;
      }
      await sleep(SAVE_RETRY_MS, undefined, { ref: false });
    }
  }
}
