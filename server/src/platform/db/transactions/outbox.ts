import type pg from "pg";
import type { DomainEvent, NewJob } from "../../ctx.ts";
import type { Statement } from "../raw.ts";
import { defaultJobPriority, priorityRank } from "../../job-priority.ts";

const DEFAULT_ATTEMPTS = 5;

/** Buffers the events and jobs of a transaction until just before COMMIT, so that they cost one statement. */
export interface Outbox {
  emit(companyId: number, event: DomainEvent): void;
  enqueue(companyId: number | null, job: NewJob): void;
  /** The statement, if any, that writes the buffered events and jobs. */
  statements(now: Date): pg.QueryConfig[];
  /** This statement, which also writes the events and jobs buffered so far: one statement less. */
  withOutbox(statement: Statement<unknown>, values: readonly unknown[], now: Date): pg.QueryConfig;
  /** Topics to notify after the commit. */
  topics(): { readonly events: boolean; readonly jobs: boolean };
  /** Events emitted so far. */
  emitted(): readonly { readonly companyId: number; readonly event: DomainEvent }[];
}

export function createOutbox(): Outbox {
  const events: EventRow[] = [];
  const jobs: EnqueuedJob[] = [];
  let unwrittenEvents: EventRow[] = [];
  let unwrittenJobs: EnqueuedJob[] = [];

  function takeUnwritten() {
    const taken = { events: unwrittenEvents, jobs: unwrittenJobs };
    [unwrittenEvents, unwrittenJobs] = [[], []];
    return taken;
  }

  return {
    emit(companyId, { type, payload }) {
      const row = { company_id: companyId, type, payload };
      events.push(row);
      unwrittenEvents.push(row);
    },
    enqueue(companyId, job) {
      jobs.push({ companyId, job });
      unwrittenJobs.push({ companyId, job });
    },
    statements(now) {
      const { events: newEvents, jobs: newJobs } = takeUnwritten();
      if (newJobs.length > 0) {
        const { name, text, values } = jobsStatement(jobRows(newJobs, now), now);
        return [prefixed({ name, text }, values, eventsPart(newEvents))];
      }
      return newEvents.length > 0 ? [{ ...WRITE_EVENTS, values: [JSON.stringify(newEvents)] }] : [];
    },
    withOutbox(statement, values, now) {
      const { events: newEvents, jobs: newJobs } = takeUnwritten();
      return prefixed(statement, values, [...eventsPart(newEvents), ...jobsPart(newJobs, now)]);
    },
    topics: () => ({ events: events.length > 0, jobs: jobs.length > 0 }),
    emitted: () => events.map(({ company_id, ...event }) => ({ companyId: company_id, event })),
  };
}

interface EventRow {
  readonly company_id: number;
  readonly type: string;
  readonly payload: DomainEvent["payload"];
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

/** Common table expressions that write a part of the outbox; their parameters count from 1. */
interface OutboxPart {
  readonly name: string;
  readonly expressions: string;
  readonly values: readonly unknown[];
}

function eventsPart(events: readonly EventRow[]): OutboxPart[] {
  const expressions = `outbox_events as (${insertEvents("$1")})`;
  return events.length === 0 ? [] : [{ name: "events", expressions, values: [JSON.stringify(events)] }];
}

function jobsPart(jobs: readonly EnqueuedJob[], now: Date): OutboxPart[] {
  if (jobs.length === 0) {
    return [];
  }
  const { name, before, values } = jobsStatement(jobRows(jobs, now), now);
  return [{ name, expressions: `${before}, outbox_jobs as (${INSERT_JOBS})`, values }];
}

/** A statement behind parts of the outbox, whose parameters follow its own. */
function prefixed(
  { name, text }: Statement<unknown>,
  values: readonly unknown[],
  parts: readonly OutboxPart[],
): pg.QueryConfig {
  if (parts.length === 0) {
    return { name, text, values: [...values] };
  }
  const all = [...values];
  const expressions = parts.map((part) => {
    const before = all.length;
    all.push(...part.values);
    return part.expressions.replaceAll(/\$(\d+)/g, (_parameter, at) => `$${Number(at) + before}`);
  });
  return {
    name: [name, "with", ...parts.map((part) => part.name)].join("_"),
    text: `with ${expressions.join(",\n    ")}${withoutWith(text)}`,
    values: all,
  };
}

function jobsStatement(rows: readonly JobRow[], now: Date) {
  const values = [JSON.stringify(rows), now];
  const ofLanes = rows.filter(({ lane }) => lane !== undefined);
  const priority = Math.min(...ofLanes.map((row) => row.priority));
  if (ofLanes.length === 0 || priority >= priorityRank("bulk")) {
    return { ...WRITE_JOBS, values };
  }
  const lanes = new Set(ofLanes.map(({ lane }) => lane));
  return lanes.size === 1
    ? { ...WRITE_JOBS_OF_LANE, values: [...values, ...lanes, priority] }
    : { ...WRITE_JOBS_OF_LANES, values };
}

/** What follows the common table expressions before a statement: its own ones, or itself. */
function withoutWith(text: string): string {
  const own = /^\s*with\s/.exec(text);
  return own ? `, ${text.slice(own[0].length)}` : ` ${text}`;
}

// Rows come in the order of the array, so ids follow the order of emit() and enqueue().
const insertEvents = (rows: string) => `insert into event_log (company_id, type, payload)
    select company_id, type, payload from jsonb_to_recordset(${rows}::jsonb) as e(company_id int, type text, payload jsonb)`;
const WRITE_EVENTS = { name: "outbox_events", text: insertEvents("$1") };
const NEW_JOBS = `new_jobs as materialized (
    select * from jsonb_to_recordset($1::jsonb) as j(company_id int, task text, payload jsonb, lane text, affinity text,
      key text, run_at timestamptz, max_attempts int, priority smallint))`;

// A job that waits already and is due is locked until the commit, so that nobody runs it before it can see what this transaction
// wrote; rewriting the same row would cost an entry in each index of the table.
const INSERT_JOBS = `insert into jobs (company_id, task, payload, lane, affinity, key, run_at, max_attempts, priority)
    select company_id, task, payload, lane, affinity, key, run_at, max_attempts, priority from new_jobs
    on conflict (company_id, key) where key is not null and state = 'live' and leased_by is null
    do update set task = excluded.task, payload = excluded.payload, lane = excluded.lane, affinity = excluded.affinity,
      run_at = excluded.run_at, max_attempts = excluded.max_attempts,
      priority = least(jobs.priority, excluded.priority), attempts = 0, last_error = null
    where jobs.run_at > excluded.run_at or excluded.run_at > $2 or jobs.attempts > 0 or jobs.last_error is not null
      or jobs.priority > excluded.priority or jobs.max_attempts <> excluded.max_attempts
      or (jobs.task, jobs.payload, jobs.lane, jobs.affinity)
        is distinct from (excluded.task, excluded.payload, excluded.lane, excluded.affinity)`;

const WRITE_JOBS = jobsWriter("outbox_jobs", NEW_JOBS);

function jobsWriter(name: string, before: string) {
  return { name, before, text: `with ${before} ${INSERT_JOBS}` };
}

// Only the head of a lane runs, so what waits ahead of an urgent job is as urgent as it.
const raisable = `jobs.state = 'live' and jobs.leased_by is null
        and not exists (select from new_jobs same
          where same.key = jobs.key and same.company_id is not distinct from jobs.company_id)`;

// Nearly always it is one lane. As a value it is looked up in the index; as one of a list, which the planner takes for a hundred,
// it would be joined with all jobs.
const WRITE_JOBS_OF_LANE = jobsWriter(
  "outbox_jobs_of_lane",
  `${NEW_JOBS},
    raised as (
      update jobs set priority = $4 where jobs.lane = $3 and jobs.priority > $4::smallint and ${raisable})`,
);

const WRITE_JOBS_OF_LANES = jobsWriter(
  "outbox_jobs_of_lanes",
  `${NEW_JOBS},
    raised as (
      update jobs set priority = behind.priority
      from (select lane, min(priority) as priority from new_jobs where lane is not null group by lane) as behind
      where jobs.lane = behind.lane and jobs.priority > behind.priority and ${raisable})`,
);
