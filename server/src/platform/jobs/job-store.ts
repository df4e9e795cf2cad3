import type { Ctx } from "../ctx.ts";
import type { RawQuery, Statement, SystemTx } from "../db/index.ts";
import { jobPriorities, priorityOfRank, priorityRank } from "../job-priority.ts";
import type { JobPriority } from "../job-priority.ts";
import type { Allowance, ClaimStep } from "./claim-order.ts";
import type { Job } from "./job.ts";

/** After this time the jobs of a dead process go to others. Runners renew their leases each 3 s. */
export const LEASE_SECONDS = 10;

interface JobRow {
  readonly id: number;
  readonly company_id: number | null;
  readonly task: string;
  readonly payload: Record<string, unknown>;
  readonly lane: string | null;
  readonly affinity: string | null;
  readonly key: string | null;
  readonly priority: number;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly leased_by: string;
}

const COLUMNS = "id, company_id, task, payload, lane, affinity, key, priority, attempts, max_attempts, leased_by";

// The head of a lane is checked backwards from the job: forwards the index is full of deleted rows.
// `leased_until is null` is the condition of the indexes by priority.
const DUE = `j.state = 'live' and j.leased_until is null and j.run_at <= $2 and j.task = any($3)
    and (j.lane is null or (
      (select o.id from jobs o where o.lane = j.lane and o.state = 'live' and o.id < j.id order by o.id desc limit 1) is null
      and not exists (select from jobs o where o.lane = j.lane and o.leased_by is not null)))`;

// Each step of the claim order reads one priority from its own index and stops at the limit: a claim scans neither a backlog
// nor jobs that are bound to the lines of other processes. Jobs of the own lines are merged by their times before they are
// locked, because only this process wants them. The rows of `candidates` come in the order of the steps. A parameter in a
// sub-select tells the planner nothing, so a plan for the values never looks better than the generic one: PostgreSQL would
// plan each claim again, which takes three times as long as the claim.
const CLAIM: Statement<JobRow> = {
  name: "jobs_claim",
  text: `with busy_lines as materialized (
      select line.affinity from unnest((select $5::text[])) as line(affinity)
      where (select w.id from jobs w
        where w.affinity = line.affinity and w.state = 'live' and w.leased_until is null and w.run_at <= $2
        order by w.priority, w.run_at limit 1) is not null),
    candidates as materialized (
      select job.id, step.priority
      from unnest((select $6::smallint[]), (select $7::boolean[]), (select $8::int[]), (select $9::int[]))
        as step(priority, is_bound, skipped, most)
      cross join lateral (
        select bound.id from (
          select of_line.id from busy_lines cross join lateral (
            select j.id, j.run_at from jobs j
            where j.affinity = busy_lines.affinity and j.priority = step.priority and ${DUE}
            order by j.run_at, j.id limit step.skipped + step.most) as of_line
          where step.is_bound
          order by of_line.run_at, of_line.id limit step.most offset step.skipped) as bound
        union all
        select free.id from (
          select j.id from jobs j
          where j.affinity is null and not step.is_bound and j.priority = step.priority and ${DUE}
          order by j.run_at, j.id limit step.most offset step.skipped for update of j skip locked) as free
      ) as job),
    counted as (
      select id, priority, count(*) filter (where priority >= 1) over earlier as from_bot,
        count(*) filter (where priority >= 2) over earlier as from_notice,
        count(*) filter (where priority >= 3) over earlier as from_bulk
      from candidates window earlier as (rows unbounded preceding)),
    picked as (
      select id from counted
      where (priority < 1 or from_bot <= $10) and (priority < 2 or from_notice <= $11)
        and (priority < 3 or from_bulk <= $12) limit (select $4::int)),
    locked as materialized (
      select j.id from jobs j
      where j.id = any(array(select id from picked)) and j.leased_by is null and j.run_at <= $2
      for update of j skip locked)
    update jobs set leased_by = $1, leased_until = now() + interval '${LEASE_SECONDS} s', attempts = attempts + 1
    where id = any(array(select id from locked))
    returning ${COLUMNS}`,
};

/** Which jobs a runner may lease. */
export interface Claim {
  readonly runner: string;
  readonly now: Date;
  readonly tasks: readonly string[];
  /** Whether jobs without affinity are claimed too. */
  readonly isWorker: boolean;
  readonly affinities: readonly string[];
}

/** How many, and in which order. */
export interface ClaimOrder {
  readonly limit: number;
  readonly allowance: Allowance;
  readonly steps: readonly ClaimStep[];
}

/**
 * Leases due jobs: of each lane only the first, and only while no other job of the lane is leased. When two claims race
 * for a lane, a unique index refuses the second with 23505.
 */
export async function claimJobs(
  raw: RawQuery,
  { runner, now, tasks, affinities }: Claim,
  { limit, allowance, steps }: ClaimOrder,
): Promise<Job[]> {
  const rows = await raw(CLAIM, [
    ...[runner, now, tasks, limit, affinities],
    ...[steps.map(({ priority }) => priority), steps.map(({ isBound }) => isBound)],
    ...[steps.map(({ skipped }) => skipped), steps.map(({ most }) => most)],
    ...allowance.slice(1),
  ]);
  // RETURNING has no order of its own.
  return rows.toSorted((one, other) => one.priority - other.priority || one.id - other.id).map(toJob);
}

const CLAIM_NEXT: Statement<JobRow> = {
  name: "jobs_claim_next",
  text: `with locked as materialized (
      select j.id from jobs j
      where j.leased_by is null and j.run_at <= $2 and j.task = any($3)
        and ((j.affinity is null and $5) or j.affinity = any($6))
        and j.id = any(array(
          select head.id from unnest($4::text[], $7::smallint[]) as done(lane, priority) cross join lateral (
            select id, priority from jobs where lane = done.lane and state = 'live' order by id limit 1) as head
          where head.priority <= done.priority))
      for update of j skip locked)
    update jobs set leased_by = $1, leased_until = now() + interval '${LEASE_SECONDS} s', attempts = attempts + 1
    where id = any(array(select id from locked))
    returning ${COLUMNS}`,
};

/**
 * Leases the next job of the lanes of these jobs, which have just ended, without scanning all waiting jobs. A less urgent one
 * is left to the claims.
 */
export async function claimNextInLanes(raw: RawQuery, done: readonly Job[], claim: Claim): Promise<Job[]> {
  const { runner, now, tasks, isWorker, affinities } = claim;
  const lanes = done.map(({ lane }) => lane);
  const ranks = done.map(({ priority }) => priorityRank(priority));
  const rows = await raw(CLAIM_NEXT, [runner, now, tasks, lanes, isWorker, affinities, ranks]);
  return rows.map(toJob);
}

const RENEW: Statement<{ id: number }> = {
  name: "jobs_renew",
  text: `update jobs set leased_until = now() + interval '${LEASE_SECONDS} s'
    from unnest($1::bigint[], $2::int[]) as mine(id, attempt)
    where jobs.id = mine.id and attempts = mine.attempt and leased_by = $3
    returning jobs.id`,
};

/** Returns the ids of the jobs that this runner still holds. */
export async function renewLeases(raw: RawQuery, runner: string, jobs: readonly Job[]): Promise<Set<number>> {
  const rows = await raw(RENEW, [...idsAndAttempts(jobs), runner]);
  return new Set(rows.map((row) => row.id));
}

const FINISH: Statement<{ id: number }> = {
  name: "jobs_finish",
  text: `delete from jobs using unnest($1::bigint[], $2::int[]) as mine(id, attempt)
    where jobs.id = mine.id and attempts = mine.attempt and leased_by = $3
    returning jobs.id`,
};

/** Deletes finished jobs. One that another runner has leased since stays: the attempt number is the fencing token. */
export async function finishJobs(raw: RawQuery, runner: string, jobs: readonly Job[]): Promise<void> {
  await raw(FINISH, [...idsAndAttempts(jobs), runner]);
}

/**
 * Deletes the job in the same transaction as the rows that it wrote: exactly once in the database. Throws when the
 * lease was lost, so that the rows of a second run are not saved twice.
 */
export async function completeWithin(ctx: Ctx, job: Job): Promise<void> {
  const removed = await ctx.raw(FINISH, [...idsAndAttempts([job]), job.leasedBy]);
  if (removed.length === 0) {
    throw new Error(`The lease of job ${job.id} (${job.task}) was lost before it was done`);
  }
}

/** A job that was deleted without having run. */
export interface CancelledJob {
  readonly task: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const CANCEL_BOUND: Statement<CancelledJob> = {
  name: "jobs_cancel_bound",
  text: `with deleted as (delete from jobs where company_id = $1 and affinity = $2 returning state, task, payload)
    select task, payload from deleted where state = 'live'`,
};

/**
 * Deletes the company's jobs of an affinity that no process will hold again, and returns those that had not run. A running one finds its
 * lease lost; a dead one that was tried again would wait for ever.
 */
export async function cancelJobsWithAffinity(ctx: Ctx, affinity: string): Promise<CancelledJob[]> {
  return ctx.raw(CANCEL_BOUND, [ctx.companyId, affinity]);
}

/** A waiting job that was taken out of its lane. */
interface TakenJob {
  readonly task: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly priority: JobPriority;
}

// A row that cannot be locked is being leased or finished at this moment.
const TAKE_IDLE_LANE: Statement<{ isBusy: boolean; jobs: (Omit<TakenJob, "priority"> & { priority: number })[] }> = {
  name: "jobs_take_idle_lane",
  text: `with seen as materialized (
      select id from jobs where company_id = $1 and lane = $2 and state = 'live'),
    locked as materialized (
      select id from jobs where id = any(array(select id from seen)) and leased_by is null for update skip locked),
    taken as (
      delete from jobs where id = any(array(select id from locked)) and (select count(*) from locked) = (select count(*) from seen)
      returning id, task, payload, priority)
    select (select count(*) from taken) < (select count(*) from seen) as "isBusy",
      (select coalesce(json_agg(json_build_object('task', task, 'payload', payload, 'priority', priority) order by id), '[]')
        from taken) as jobs`,
};

/** Deletes the waiting jobs of a lane and returns them in order, for the caller to enqueue elsewhere; "busy" while one of the lane runs. */
export async function takeIdleLane(ctx: Ctx, lane: string): Promise<"busy" | TakenJob[]> {
  const [found] = await ctx.raw(TAKE_IDLE_LANE, [ctx.companyId, lane]);
  if (!found || found.isBusy) {
    return "busy";
  }
  return found.jobs.map((job) => ({ ...job, priority: priorityOfRank(job.priority) }));
}

const HASTEN: Statement<never> = {
  name: "jobs_hasten",
  text: `update jobs set run_at = $4 where company_id = $1 and affinity = $2 and state = 'live' and leased_until is null
    and run_at > $4 and last_error = $3`,
};

/** Makes jobs of an affinity due that wait because of this reason (`RetryLater`): what they waited for is there. */
export async function hastenJobs(ctx: Ctx, affinity: string, reason: string): Promise<void> {
  await ctx.raw(HASTEN, [ctx.companyId, affinity, reason, ctx.now()]);
}

const HASTEN_ONE: Statement<never> = {
  name: "jobs_hasten_one",
  text: `update jobs set run_at = $3 where id = (
      select id from jobs where company_id = $1 and id = any($2::bigint[]) and state = 'live' and leased_until is null
        and run_at > $3 and last_error = $4 order by run_at, id limit 1 for update skip locked)`,
};

/** Makes that one of these jobs due that would run next, if one still waits because of this reason (`RetryLater`). */
export async function hastenOneOf(ctx: Ctx, jobIds: readonly number[], reason: string): Promise<void> {
  await ctx.raw(HASTEN_ONE, [ctx.companyId, jobIds, ctx.now(), reason]);
}

const EXPIRED: Statement<JobRow> = {
  name: "jobs_expired",
  text: `select ${COLUMNS} from jobs where leased_until < now() order by id limit 100 for update skip locked`,
};

/** Jobs whose lease has expired, locked for this transaction. */
export async function lockExpired(raw: RawQuery): Promise<Job[]> {
  return (await raw(EXPIRED, [])).map(toJob);
}

const DROP_SUPERSEDED: Statement<{ id: number }> = {
  name: "jobs_drop_superseded",
  text: `delete from jobs j where j.id = $1 and j.leased_by = $2 and j.attempts = $3 and exists (
      select from jobs w where w.key = j.key and w.company_id is not distinct from j.company_id
        and w.state = 'live' and w.leased_by is null)
    returning j.id`,
};

const RELEASE: Statement<{ id: number }> = {
  name: "jobs_release",
  text: `update jobs set leased_by = null, leased_until = null, run_at = coalesce($4, run_at),
      last_error = coalesce($5, last_error), attempts = attempts - $6
    where id = $1 and leased_by = $2 and attempts = $3`,
};

export interface Release {
  /** Default: unchanged, so at once. */
  readonly runAt?: Date;
  readonly error?: string;
  /** How many attempts do not count: this one (RetryLater, an orderly stop), or all so far. Default: none. */
  readonly uncounted?: number;
}

/** Releases the lease for another attempt. If a newer job with its key is waiting, this one is deleted instead. */
export async function releaseJob(tx: SystemTx, job: Job, { runAt, error, uncounted = 0 }: Release): Promise<void> {
  const fence = [job.id, job.leasedBy, job.attempt];
  if (job.key !== null && (await tx.raw(DROP_SUPERSEDED, fence)).length > 0) {
    return;
  }
  await tx.raw(RELEASE, [...fence, runAt ?? null, error ?? null, uncounted]);
}

/** What a poll finds without locking or writing anything. */
export interface Outlook {
  /** When the next job is due that is bound to no line; null: none waits. Its lane may be busy, or its task unknown here. */
  readonly freeAt: Date | null;
  /** A job of an affinity of this process waits; and one is due. */
  readonly isBoundWaiting: boolean;
  readonly isBoundDue: boolean;
  readonly isLeaseExpired: boolean;
  /** Names of the runners that hold a lease. */
  readonly runners: readonly string[];
}

const LOOK: Statement<Outlook> = {
  name: "jobs_look",
  text: `select
      exists (select from unnest((select $2::text[])) as line(affinity)
        where (select j.id from jobs j
          where j.affinity = line.affinity and j.state = 'live' and j.leased_until is null and j.run_at <= $1
          order by j.priority, j.run_at limit 1) is not null) as "isBoundDue",
      exists (select from unnest((select $2::text[])) as line(affinity)
        where (select j.id from jobs j
          where j.affinity = line.affinity and j.state = 'live' and j.leased_until is null
          order by j.priority, j.run_at limit 1) is not null) as "isBoundWaiting",
      case when $3 then (select min((select j.run_at from jobs j
          where j.affinity is null and j.priority = step.priority and j.state = 'live' and j.leased_until is null
          order by j.run_at, j.id limit 1))
        from unnest((select $4::smallint[])) as step(priority)) end as "freeAt",
      exists (select from jobs where leased_by is not null and leased_until < now()) as "isLeaseExpired",
      array(select distinct leased_by from jobs where leased_by is not null) as runners`,
};

/** Whether a claim, or the release of expired leases, is worth its statements: most polls find neither (decision 0188). */
export async function lookForWork(raw: RawQuery, { now, isWorker, affinities }: Claim): Promise<Outlook> {
  const [outlook] = await raw(LOOK, [now, affinities, isWorker, jobPriorities.map(priorityRank)]);
  if (!outlook) {
    throw new Error("The statement of a look for work returned no row");
  }
  return outlook;
}

const RUNNERS: Statement<{ runner: string }> = {
  name: "jobs_runners",
  text: `select distinct leased_by as runner from jobs where leased_by is not null`,
};

/** Names of the runners that hold a lease. */
export async function findRunners(raw: RawQuery): Promise<string[]> {
  const rows = await raw(RUNNERS, []);
  return rows.map(({ runner }) => runner);
}

const END_LEASES: Statement<never> = {
  name: "jobs_end_leases",
  text: `update jobs set leased_until = '-infinity' where leased_by = any($1::text[])`,
};

/** Expires the leases of these runners, so that the next poll releases their jobs. */
export async function expireLeases(raw: RawQuery, runners: readonly string[]): Promise<void> {
  await raw(END_LEASES, [runners]);
}

const BURY: Statement<{ id: number }> = {
  name: "jobs_bury",
  text: `update jobs set state = 'dead', died_at = now(), leased_by = null, leased_until = null, last_error = $4
    where id = $1 and leased_by = $2 and attempts = $3
    returning id`,
};

/** Moves a job to the dead letters and emits `job.dead` for its company. */
export async function moveToDeadLetters(tx: SystemTx, job: Job, error: string): Promise<void> {
  const buried = await tx.raw(BURY, [job.id, job.leasedBy, job.attempt, error]);
  if (buried.length > 0 && job.companyId !== null) {
    tx.emit(job.companyId, { type: "job.dead", payload: { jobId: job.id, task: job.task } });
  }
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    companyId: row.company_id,
    task: row.task,
    payload: row.payload,
    lane: row.lane,
    affinity: row.affinity,
    key: row.key,
    priority: priorityOfRank(row.priority),
    attempt: row.attempts,
    maxAttempts: row.max_attempts,
    leasedBy: row.leased_by,
  };
}

function idsAndAttempts(jobs: readonly Job[]): [number[], number[]] {
  return [jobs.map((job) => job.id), jobs.map((job) => job.attempt)];
}
