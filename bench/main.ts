/** `npm run bench`: speed, size and memory against the budgets. Method: docs/measurements.md. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServerProcess } from "../server/src/testing/processes.ts";
import type { BudgetResult } from "./budgets.ts";
import { compareWithBudget } from "./budgets.ts";
import { measureBot } from "./bot.ts";
import { measureCampaign } from "./campaign.ts";
import { measureCampaignReport } from "./campaign-report.ts";
import { measureListImport } from "./list-import.ts";
import { measureBrowser } from "./browser.ts";
import { startLoadClient } from "./load.ts";
import type { MeasuredServer } from "./load.ts";
import { judgedNumbers, measureRequests, shown } from "./requests.ts";
import { openSeeded } from "./seed.ts";
import type { Seeded } from "./seed.ts";
import { measureSockets } from "./sockets.ts";
import { measureLines } from "./lines.ts";
import { measureMachine } from "./machine.ts";
import { measureIdle } from "./idle.ts";
import { measureIngest } from "./ingest.ts";
import { measureVault } from "./vault.ts";

const usage = `npm run bench -- [--large] [--messages N] [--fresh] [--seconds 3] [--calls PATTERN] [--only requests,sockets,ingest,bot,campaign,lines,idle,vault,browser]

--large   200,000 tickets and 2,000,000 messages instead of 50,000 and 500,000
--messages   so many of the company instead: what does not read messages is measured without the hour of seeding them
--fresh   seed the database anew; otherwise that of the last run is used
--calls   of the requests only those whose name matches, e.g. "^search"`;

const parts = ["requests", "sockets", "ingest", "bot", "campaign", "lines", "idle", "vault", "browser"] as const;
const { values } = parseArgs({
  options: {
    large: { type: "boolean", default: false },
    messages: { type: "string" },
    fresh: { type: "boolean", default: false },
    seconds: { type: "string", default: "3" },
    calls: { type: "string", default: "" },
    only: { type: "string", default: parts.join(",") },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const cache = join(import.meta.dirname, "../.cache/bench");
const dataDir = join(cache, "data");
const wanted = new Set(values.only.split(","));
const messages = values.messages === undefined ? undefined : Number(values.messages);
const seeded = await openSeeded(cache, { isLarge: values.large, isFresh: values.fresh, messages });
const judged: BudgetResult[] = measureMachine().map(([what, value]) => compareWithBudget(what, value));
try {
  if (wanted.has("requests") || wanted.has("sockets")) {
    await withServer(seeded, async (subject) => {
      if (wanted.has("requests")) {
        judged.push(...(await requests(subject)));
      }
      if (wanted.has("sockets")) {
        judged.push(...(await measureSockets(subject)).map(([what, value]) => compareWithBudget(what, value)));
      }
    });
  }
  if (wanted.has("ingest")) {
    judged.push(
      ...(await measureIngest(seeded.url, seeded.databasePid)).map(([what, value]) => compareWithBudget(what, value)),
    );
  }
  if (wanted.has("bot")) {
    judged.push(...(await measureBot(seeded.url)).map(([what, value]) => compareWithBudget(what, value)));
  }
  if (wanted.has("campaign")) {
    const measured = [
      ...(await measureCampaign(seeded.url, seeded.databasePid)),
      ...(await measureCampaignReport(seeded.url)),
      ...(await measureListImport(seeded.url, seeded.databasePid)),
    ];
    judged.push(...measured.map(([what, value]) => compareWithBudget(what, value)));
  }
  if (wanted.has("lines")) {
    judged.push(...(await measureLines(seeded.url, cache)).map(([what, value]) => compareWithBudget(what, value)));
  }
  if (wanted.has("idle")) {
    judged.push(...(await measureIdle()).map(([what, value]) => compareWithBudget(what, value)));
  }
  if (wanted.has("vault")) {
    judged.push(...measureVault().map(([what, value]) => compareWithBudget(what, value)));
  }
  if (wanted.has("browser")) {
    await withServer(seeded, async ({ url }) => {
      const company = { databaseUrl: seeded.url, dataDir, company: seeded.large, email: "large1@example.com" };
      judged.push(
        ...(await measureBrowser({ url, ...company })).map(([what, value]) => compareWithBudget(what, value)),
      );
    });
  }
} finally {
  await seeded.stop();
}
judged.push(...measureMachine().map(([what, value]) => compareWithBudget(`${what}, at the end`, value)));

console.log("\n");
console.table(judged.map(({ isKept, ...row }) => ({ ...row, "": isKept ? "" : "OVER BUDGET" })));
const broken = judged.filter(({ isKept }) => !isKept);
console.log(
  broken.length === 0 ? "Every budget is kept." : `Over budget: ${broken.map(({ what }) => what).join(", ")}`,
);
process.exitCode = broken.length === 0 ? 0 : 1;

/** Runs as in production and without lines: responses are not verified against the contract, as they are in development. */
async function withServer(database: Seeded, work: (subject: MeasuredServer) => Promise<void>): Promise<void> {
  const profile = process.env["BENCH_PROFILE"];
  const server = await startServerProcess(
    {
      NODE_ENV: "production",
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: "a secret that only the bench knows of",
      TRUST_PROXY: "on",
      // A thousand sockets of one user.
      SESSION_SOCKETS: "5000",
      ROLES: "http,realtime,worker",
    },
    { nodeArgs: profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [] },
  );
  try {
    await work({
      url: server.url,
      serverPid: server.pid,
      databasePid: database.databasePid,
      databaseUrl: database.url,
    });
  } finally {
    await server.stop();
  }
}

async function requests(subject: MeasuredServer): Promise<BudgetResult[]> {
  const client = startLoadClient();
  try {
    const options = { seconds: Number(values.seconds), pattern: new RegExp(values.calls) };
    const rows = await measureRequests(client, subject, seeded, options);
    console.log("\n");
    console.table(Object.fromEntries(rows.map((row) => [row.what, shown(row)])));
    return [...judgedNumbers(rows)].map(([what, value]) => compareWithBudget(what, value));
  } finally {
    client.stop();
  }
}
