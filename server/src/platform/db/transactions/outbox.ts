import type pg from "pg";
import type { DomainEvent, NewJob } from "../../ctx.ts";

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
  const jobs: { companyId: number | null; job: NewJob }[] = [];

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
        ...(jobs.length > 0 ? [{ ...WRITE_JOBS, values: [JSON.stringify(jobRows(jobs, now))] }] : []),
      ];
    },
    topics: () => ({ events: events.length > 0, jobs: jobs.length > 0 }),
    emitted: () => events.map(({ company_id, type }) => ({ companyId: company_id, type })),
  };
}

function jobRows(jobs: readonly { companyId: number | null; job: NewJob }[], now: Date) {
  const rows = jobs.map(({ companyId, job }) => ({
    company_id: companyId,
    task: job.task,
    payload: job.payload,
    lane: job.lane,
    affinity: job.affinity,
    key: job.key,
    run_at: job.runAt ?? now,
    max_attempts: job.maxAttempts ?? DEFAULT_ATTEMPTS,
  }));
  // One statement may not touch a key twice; the last of a key wins, as it would in two transactions.
  const lastOfKey = new Map(rows.map((row) => [`${row.company_id}:${row.key}`, row]));
  return rows.filter((row) => row.key === undefined || lastOfKey.get(`${row.company_id}:${row.key}`) === row);
}

// Rows come in the order of the array, so ids follow the order of emit() and enqueue().
const WRITE_EVENTS = {
  name: "outbox_events",
  text: `insert into event_log (company_id, type, payload)
    select company_id, type, payload from jsonb_to_recordset($1::jsonb) as e(company_id int, type text, payload jsonb)`,
};

const WRITE_JOBS = {
  name: "outbox_jobs",
  text: `insert into jobs (company_id, task, payload, lane, affinity, key, run_at, max_attempts)
    select company_id, task, payload, lane, affinity, key, run_at, max_attempts
    from jsonb_to_recordset($1::jsonb) as j(company_id int, task text, payload jsonb, lane text, affinity text,
      key text, run_at timestamptz, max_attempts int)
    on conflict (company_id, key) where key is not null and state = 'live' and leased_by is null
    do update set task = excluded.task, payload = excluded.payload, lane = excluded.lane, affinity = excluded.affinity,
      run_at = excluded.run_at, max_attempts = excluded.max_attempts, attempts = 0, last_error = null`,
};
