import type pg from "pg";
import type { DomainEvent, NewJob } from "../../ctx.ts";
import { defaultJobPriority, priorityRank } from "../../job-priority.ts";

const DEFAULT_ATTEMPTS = 5;

/** Buffers the events and jobs of a transaction until just before COMMIT, so that each kind costs one statement. */
export interface Outbox {
  emit(companyId: number, event: DomainEvent): void;
  enqueue(companyId: number | null, job: NewJob): void;
  /** Statements that write the buffered events and jobs, events first. */
  statements(now: Date): pg.QueryConfig[];
  /** Topics to notify after the commit. */
  topics(): { readonly events: boolean; readonly jobs: boolean };
  /** Events emitted so far. */
  emitted(): readonly { readonly companyId: number; readonly type: string }[];
}

export function createOutbox(): Outbox {
  const events: { company_id: number; type: string; payload: DomainEvent["payload"] }[] = [];
  const jobs: EnqueuedJob[] = [];

  return {
    emit(companyId, { type, payload }) {
      events.push({ company_id: companyId, type, payload });
    },
    enqueue(companyId, job) {
      jobs.push({ companyId, job });
    },
    statements(now) {
      return [
        ...(events.length > 0 ? [{ ...WRITE_EVENTS, values: [JSON.stringify(events)] }] : []),
        ...(jobs.length > 0 ? [writeJobs(jobRows(jobs, now))] : []),
      ];
    },
    topics: () => ({ events: events.length > 0, jobs: jobs.length > 0 }),
    emitted: () => events.map(({ company_id, type }) => ({ companyId: company_id, type })),
  };
}

interface EnqueuedJob {
  readonly companyId: number | null;
  readonly job: NewJob;
}

type JobRow = ReturnType<typeof jobRow>;

function jobRow({ companyId, job }: EnqueuedJob, now: Date) {
  return {
    company_id: companyId,
    task: job.task,
    payload: job.payload,
    lane: job.lane,
    affinity: job.affinity,
    key: job.key,
    run_at: job.runAt ?? now,
    max_attempts: job.maxAttempts ?? DEFAULT_ATTEMPTS,
    priority: priorityRank(job.priority ?? defaultJobPriority),
  };
}

function jobRows(jobs: readonly EnqueuedJob[], now: Date): JobRow[] {
  const rows = jobs.map((each) => jobRow(each, now));
  const rowsOfKey = Map.groupBy(rows, keyOf);
  return rows.flatMap((row) => (row.key === undefined ? [row] : mergeInto(row, rowsOfKey.get(keyOf(row)) ?? [])));
}

/**
 * One statement may not touch a key twice: the last of a key wins with the most urgent priority, as it would in two
 * transactions.
 */
function mergeInto(row: JobRow, ofSameKey: readonly JobRow[]): JobRow[] {
  return row === ofSameKey.at(-1) ? [{ ...row, priority: Math.min(...ofSameKey.map(({ priority }) => priority)) }] : [];
}

function keyOf(row: JobRow): string {
  return `${row.company_id}:${row.key}`;
}

function writeJobs(rows: readonly JobRow[]): pg.QueryConfig {
  const mayRaiseOthers = rows.some(({ lane, priority }) => lane !== undefined && priority < priorityRank("bulk"));
  return { ...(mayRaiseOthers ? WRITE_JOBS_OF_LANES : WRITE_JOBS), values: [JSON.stringify(rows)] };
}

// Rows come in the order of the array, so ids follow the order of emit() and enqueue().
const WRITE_EVENTS = {
  name: "outbox_events",
  text: `insert into event_log (company_id, type, payload)
    select company_id, type, payload from jsonb_to_recordset($1::jsonb) as e(company_id int, type text, payload jsonb)`,
};

const NEW_JOBS = `new_jobs as materialized (
    select * from jsonb_to_recordset($1::jsonb) as j(company_id int, task text, payload jsonb, lane text, affinity text,
      key text, run_at timestamptz, max_attempts int, priority smallint))`;

const INSERT_JOBS = `insert into jobs (company_id, task, payload, lane, affinity, key, run_at, max_attempts, priority)
    select company_id, task, payload, lane, affinity, key, run_at, max_attempts, priority from new_jobs
    on conflict (company_id, key) where key is not null and state = 'live' and leased_by is null
    do update set task = excluded.task, payload = excluded.payload, lane = excluded.lane, affinity = excluded.affinity,
      run_at = excluded.run_at, max_attempts = excluded.max_attempts,
      priority = least(jobs.priority, excluded.priority), attempts = 0, last_error = null`;

const WRITE_JOBS = { name: "outbox_jobs", text: `with ${NEW_JOBS} ${INSERT_JOBS}` };

// Only the head of a lane runs, so what waits ahead of an urgent job is as urgent as it.
const WRITE_JOBS_OF_LANES = {
  name: "outbox_jobs_of_lanes",
  text: `with ${NEW_JOBS},
    raised as (
      update jobs set priority = behind.priority
      from (select lane, min(priority) as priority from new_jobs where lane is not null group by lane) as behind
      where jobs.lane = behind.lane and jobs.state = 'live' and jobs.leased_by is null and jobs.priority > behind.priority
        and not exists (select from new_jobs same
          where same.key = jobs.key and same.company_id is not distinct from jobs.company_id))
    ${INSERT_JOBS}`,
};
