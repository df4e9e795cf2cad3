import type { Config } from "#server/platform/config/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import { countLines, readDatabaseFacts, readWorkFacts } from "./doctor.queries.ts";
import { bad, doubtful, good, look } from "./finding.ts";
import type { Observation } from "./finding.ts";

/** Tokens, leases and schedules compare times of processes with those of the database. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;
/** A job that is due so long waits for a worker that is not there, or does not get on. */
const MAX_WAIT_SECONDS = 300;

/** What the database is like, and what waits in it. */
export async function lookAtDatabase(db: Db, config: Config): Promise<readonly Observation[]> {
  const findings = await Promise.all([
    look("sDatabase", () => lookAtServer(db, config)),
    look("sJobs", () => lookAtJobs(db)),
    look("sLines", () => lookAtLines(db)),
  ]);
  return findings.flat();
}

async function lookAtServer(db: Db, config: Config): Promise<readonly Observation[]> {
  const before = Date.now();
  const facts = await readDatabaseFacts(db);
  const difference = Math.round(facts.nowMs - (before + Date.now()) / 2);
  const wanted = config.pools.max + config.pools.systemMax + 1;
  const { encoding, locale } = facts;
  const use = { used: facts.connections, max: facts.maxConnections, wanted };
  return [
    good("sDatabase", "database", { version: facts.version, size: megabytes(facts.bytes) }),
    encoding === "UTF8" && locale !== "C" && locale !== "POSIX"
      ? good("sTexts", "texts", { encoding, locale })
      : bad("sTexts", "textsBad", "textsBadDo", { encoding, locale }),
    Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS
      ? good("sClocks", "clocks", { ms: Math.abs(difference) })
      : bad("sClocks", "clocksBad", "clocksBadDo", { ms: difference }),
    facts.maxConnections - facts.connections >= wanted
      ? good("sConnections", "connections", use)
      : doubtful("sConnections", "connectionsFew", "connectionsFewDo", use),
    ...(facts.randomPageCost > 2 ? [doubtful("sPlanner", "planner", "plannerDo", { cost: facts.randomPageCost })] : []),
  ];
}

async function lookAtJobs(db: Db): Promise<readonly Observation[]> {
  const { deadJobs, oldestDueSeconds } = await readWorkFacts(db);
  const seconds = Math.round(oldestDueSeconds ?? 0);
  return [
    deadJobs === 0 ? good("sDeadJobs", "none") : doubtful("sDeadJobs", "count", "deadJobsDo", { count: deadJobs }),
    oldestDueSeconds === null || oldestDueSeconds < MAX_WAIT_SECONDS
      ? good("sWaitingJobs", oldestDueSeconds === null ? "noneLate" : "late", { seconds })
      : doubtful("sWaitingJobs", "late", "lateDo", { seconds }),
  ];
}

async function lookAtLines(db: Db): Promise<Observation> {
  const states = await countLines(db);
  const list = states.map(({ status, count }) => ({ word: `line_${status}` as const, count }));
  const isDown = states.some(({ status }) => status !== "CONNECTED");
  return isDown
    ? doubtful("sLines", "list", "linesDo", { list })
    : good("sLines", list.length > 0 ? "list" : "noneYet", { list });
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
