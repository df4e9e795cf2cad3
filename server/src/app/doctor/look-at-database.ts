import type { Config } from "#server/platform/config/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import { countLines, readDatabaseFacts, readWorkFacts } from "./doctor.queries.ts";
import { bad, doubtful, good, look } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Tokens, leases and schedules compare times of processes with those of the database. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;
/** A job that is due so long waits for a worker that is not there, or does not get on. */
const MAX_WAIT_SECONDS = 300;

/** What the database is like, and what waits in it. */
export async function lookAtDatabase(db: Db, config: Config): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    look("database", () => lookAtServer(db, config)),
    look("jobs", () => lookAtJobs(db)),
    look("lines", () => lookAtLines(db)),
  ]);
  return findings.flat();
}

async function lookAtServer(db: Db, config: Config): Promise<readonly Finding[]> {
  const before = Date.now();
  const facts = await readDatabaseFacts(db);
  const difference = Math.round(facts.nowMs - (before + Date.now()) / 2);
  const wanted = config.pools.max + config.pools.systemMax + 1;
  return [
    good("database", `PostgreSQL ${facts.version}, ${megabytes(facts.bytes)} MB, migrated to this release`),
    facts.encoding === "UTF8" && facts.locale !== "C" && facts.locale !== "POSIX"
      ? good("database's texts", `${facts.encoding}, ${facts.locale}`)
      : bad(
          "database's texts",
          `${facts.encoding}, ${facts.locale}: names with accents are not found`,
          "Make the database anew: createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8, and restore a backup into it.",
        ),
    Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS
      ? good("clocks", `${Math.abs(difference)} ms apart`)
      : bad(
          "clocks",
          `this machine and the database are ${difference} ms apart`,
          "Let both follow NTP (timedatectl set-ntp true).",
        ),
    facts.maxConnections - facts.connections >= wanted
      ? good("connections", `${facts.connections} of ${facts.maxConnections} in use; a process takes up to ${wanted}`)
      : doubtful(
          "connections",
          `${facts.connections} of ${facts.maxConnections} in use; one more process takes up to ${wanted}`,
          "Raise max_connections of PostgreSQL, or lower DATABASE_CONNECTIONS.",
        ),
    ...(facts.randomPageCost > 2
      ? [
          doubtful(
            "planner",
            `random_page_cost is ${facts.randomPageCost}: on solid state disks some lists do not use their index`,
            "Set random_page_cost = 1.1 in PostgreSQL where its disks are solid state.",
          ),
        ]
      : []),
  ];
}

async function lookAtJobs(db: Db): Promise<readonly Finding[]> {
  const { deadJobs, oldestDueSeconds } = await readWorkFacts(db);
  return [
    deadJobs === 0
      ? good("dead jobs", "none")
      : doubtful(
          "dead jobs",
          `${deadJobs}`,
          "Sign in as the operator and look at them: each says why it failed, and can be tried again.",
        ),
    oldestDueSeconds === null || oldestDueSeconds < MAX_WAIT_SECONDS
      ? good(
          "waiting jobs",
          oldestDueSeconds === null ? "none is late" : `the oldest is late by ${Math.round(oldestDueSeconds)} s`,
        )
      : doubtful(
          "waiting jobs",
          `the oldest is late by ${Math.round(oldestDueSeconds)} s`,
          "Is a process with the role worker (and one with lines) running? Start one.",
        ),
  ];
}

async function lookAtLines(db: Db): Promise<Finding> {
  const states = await countLines(db);
  const found = states.map(({ status, count }) => `${count} ${status}`).join(", ");
  const isDown = states.some(({ status }) => status !== "CONNECTED");
  return isDown
    ? doubtful(
        "lines",
        found,
        "Their own companies see why on the screen of connections; a DISCONNECTED one must be linked again.",
      )
    : good("lines", found || "none yet");
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}
