import { sql } from "kysely";
import type { Db } from "../db/index.ts";
import type { JobPriority } from "../job-priority.ts";
import type { JobDeps } from "./job.ts";
import { renamedTask } from "./renamed-task.ts";
import type { RenamedTask } from "./renamed-task.ts";

interface CronBase {
  /** Unique. */
  readonly name: string;
  /** Its former name, which it keeps in the database as long as a release that knows no other may run beside this one. */
  readonly formerly?: Pick<RenamedTask, "formerName" | "since">;
  readonly run: (deps: Omit<JobDeps, "inCompany">) => Promise<void>;
  /** Default bulk: most crons tidy up. */
  readonly priority?: JobPriority;
}

/** A recurring job of the platform, run once for all processes. Hours are UTC. */
export type Cron = CronBase &
  (
    | { readonly everySeconds: number }
    /** At this minute of each hour, or of each day if an hour is given. */
    | { readonly at: { readonly hour?: number; readonly minute: number } }
  );

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The last time, not after `now`, at which the cron was due. */
export function slotOf(cron: Cron, now: Date): Date {
  const [period, offset] = periodAndOffset(cron);
  return new Date(Math.floor((now.getTime() - offset) / period) * period + offset);
}

function periodAndOffset(cron: Cron): [number, number] {
  if ("everySeconds" in cron) {
    return [cron.everySeconds * 1_000, 0];
  }
  const { hour, minute } = cron.at;
  return hour === undefined ? [HOUR_MS, minute * MINUTE_MS] : [DAY_MS, hour * HOUR_MS + minute * MINUTE_MS];
}

export function cronTask(cron: Cron): string {
  return taskOf(cron.name);
}

/** The tasks of crons that were renamed. */
export function renamedCronTasks(crons: readonly Cron[]): RenamedTask[] {
  return crons.flatMap(({ name, formerly }) =>
    formerly ? [renamedTask(taskOf(name), { ...formerly, formerName: taskOf(formerly.formerName) })] : [],
  );
}

/** The name of its row in cron_runs. */
function storedName({ name, formerly }: Cron): string {
  return formerly ? renamedTask(name, formerly).enqueuedAs : name;
}

/**
 * Enqueues a job for each cron that is due. The process that advances the row in `cron_runs` enqueues the job in the
 * same transaction, so each slot is used once over all processes. Slots missed while no process ran are made up for by a
 * single run; a new cron runs at its next slot, not at the first start. A slot that is more than a period ahead was written under a
 * clock that has been set back since, and must not silence the cron until then.
 */
export function createCronClock(db: Db, crons: readonly Cron[]): { fire(now: Date): Promise<void> } {
  /** While no other slot begins; asked every second. */
  let quiet = { from: Infinity, until: -Infinity };
  let isRegistered = false;

  return {
    async fire(now) {
      if (crons.length === 0 || (now.getTime() >= quiet.from && now.getTime() < quiet.until)) {
        return;
      }
      const slots = crons.map((cron) => slotOf(cron, now));
      const names = crons.map(storedName);
      if (!isRegistered) {
        await register(db, names, slots);
        isRegistered = true;
      }
      await enqueueDue(db, crons, { slots, now });
      const ends = crons.map((cron, n) => slots[n]!.getTime() + periodAndOffset(cron)[0]);
      quiet = { from: Math.max(...slots.map(Number)), until: Math.min(...ends) };
    },
  };
}

async function register(db: Db, names: string[], slots: Date[]): Promise<void> {
  await sql`insert into cron_runs (name, slot)
    select * from unnest(${names}::text[], ${slots}::timestamptz[]) on conflict do nothing`.execute(db.system);
}

async function enqueueDue(
  db: Db,
  crons: readonly Cron[],
  { slots, now }: { readonly slots: Date[]; readonly now: Date },
): Promise<void> {
  const nextSlots = crons.map((cron, n) => new Date(slots[n]!.getTime() + periodAndOffset(cron)[0]));
  const priorities = new Map(crons.map((cron) => [storedName(cron), cron.priority ?? "bulk"]));
  await db.systemTx(async (tx) => {
    const { rows } = await sql<{ name: string }>`update cron_runs set slot = due.slot
      from unnest(${[...priorities.keys()]}::text[], ${slots}::timestamptz[], ${nextSlots}::timestamptz[]) as due(name, slot, next)
      where cron_runs.name = due.name and (cron_runs.slot < due.slot or cron_runs.slot > due.next)
      returning cron_runs.name`.execute(tx.db);
    for (const { name } of rows) {
      const task = taskOf(name);
      tx.enqueue(null, { task, payload: {}, key: task, runAt: now, priority: priorities.get(name) ?? "bulk" });
    }
  });
}

function taskOf(name: string): string {
  return `cron:${name}`;
}
