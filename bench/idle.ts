import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { askAsOwner } from "../server/src/testing/as-owner.ts";
import { startServerProcess } from "../server/src/testing/processes.ts";
import { cpuOfFamily } from "./cpu.ts";

/**
 * After the demo's campaign of the first minutes, caches are full and the code is compiled, and within this time Node gives memory back, once:
 * none of it is what an idle installation costs.
 */
const SETTLE_MS = 150_000;
const LOOK_EVERY_MS = 5_000;
const CAMPAIGN_WITHIN_MS = 600_000;
const MEASURE_MS = 60_000;

/** CPU of an installation that nobody uses, as `npm start` runs it: its process, the simulator's, and the embedded database. */
export async function measureIdle(): Promise<readonly (readonly [string, number])[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "prosa-idle-"));
  try {
    const server = await startServerProcess({ DATA_DIR: dataDir, DEMO: "on" });
    try {
      const [pidText, , , port, socket = ""] = readFileSync(
        join(dataDir, "postgres/postgres/postmaster.pid"),
        "utf8",
      ).split("\n");
      const url = `postgres://postgres:postgres@localhost:${port}/prosa?host=${encodeURIComponent(socket)}`;
      await campaignEnded(url);
      await sleep(SETTLE_MS);
      // else the server spreads it over the minutes that follow
      await askAsOwner(url, "checkpoint");
      const families = [server.pid, Number(pidText)];
      const before = families.map(cpuOfFamily);
      const since = performance.now();
      await sleep(MEASURE_MS);
      const elapsed = performance.now() - since;
      const [own = 0, database = 0] = families.map((pid, n) => ((cpuOfFamily(pid) - before[n]!) / elapsed) * 100);
      return [
        ["idle: % of a core", own + database],
        ["idle: % of a core, of the database", database],
      ];
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Resolves when the campaign that the demo sends in its first minutes is over; rejects where it does not end. */
async function campaignEnded(url: string): Promise<void> {
  for (const until = performance.now() + CAMPAIGN_WITHIN_MS; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
    const ahead = await askAsOwner(
      url,
      "select from campaigns where status = 'EM_ANDAMENTO' or (status = 'PROGRAMADA' and scheduled_at < now() + interval '1 hour')",
    );
    if (ahead.length === 0) {
      return;
    }
  }
  throw new Error("the demo's campaign does not end");
}
