/** The long form of the crash test (`npm run storm`): kill -9 of the server under load, then count every message. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { migrateToLatest, startEmbedded } from "../server/src/platform/db/index.ts";
import { runCampaignStorm } from "../server/src/testing/campaign-storm/index.ts";
import { runRollingRestart, runUpgradeBeside } from "../server/src/testing/rolling/index.ts";
import { runStorm } from "../server/src/testing/storm/index.ts";

const usage = `npm run storm -- [--rounds 80 | --minutes N] [--database-too]
npm run storm -- --campaign 5000 [--rounds 10]

Each round customers write 25 messages and an agent 6, and the server is killed once: 80 rounds are 2,000 messages in
and about 500 out. --minutes goes on for so long. --database-too kills PostgreSQL as well in every fourth round.

--campaign sends a campaign to so many contacts over two lines and two workers, which are killed, while it is cancelled,
restarted, and people opt out.

npm run storm -- --rolling
restarts three processes with http, two workers and two with lines one after the other behind a proxy, under load, and takes a backup
meanwhile, which is restored elsewhere.

npm run storm -- --upgrade COMMIT
lets the release of that commit (or tag) serve under load, from its own checkout, while this one migrates the schema, and then takes over.`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "80" },
    minutes: { type: "string" },
    "database-too": { type: "boolean", default: false },
    campaign: { type: "string" },
    rolling: { type: "boolean", default: false },
    upgrade: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const folder = join(import.meta.dirname, "../.cache/storm");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const log = pino({ level: "fatal" });
const database = await startEmbedded({ dataDir: join(folder, "postgres"), log });
if (values.upgrade === undefined) {
  await migrateToLatest({ url: database.url, log });
}

const began = performance.now();
const minutes = () => (performance.now() - began) / 60_000;
const hasNextRound = (round: number) =>
  values.minutes === undefined ? round < Number(values.rounds) : minutes() < Number(values.minutes);

try {
  const { verdict, observations } = await (values.upgrade !== undefined
    ? upgradeBeside(values.upgrade)
    : values.rolling
      ? rollingRestart()
      : values.campaign === undefined
        ? stormOfMessages()
        : stormOfCampaign(Number(values.campaign)));
  console.log(`\n\n${Math.round(minutes())} minutes`);
  console.table({ ...observations });
  console.table({ ...verdict });
  const isWell = Object.values(verdict).every((count) => count === 0);
  console.log(isWell ? "Nothing lost, nothing twice." : `Something is wrong; the server's log: ${join(folder, "log")}`);
  process.exitCode = isWell ? 0 : 1;
} finally {
  await database.stop();
}

function upgradeBeside(from: string) {
  const onProgress = (words: string) => process.stdout.write(`${words}, ${minutes().toFixed(1)} min\n`);
  return runUpgradeBeside({ folder, databaseUrl: database.url, from, onProgress });
}

function rollingRestart() {
  const onProgress = (words: string) => process.stdout.write(`${words}, ${minutes().toFixed(1)} min\n`);
  return runRollingRestart({ folder, databaseUrl: database.url, onProgress });
}

function stormOfMessages() {
  return runStorm({
    folder,
    databaseUrl: database.url,
    customers: 50,
    inboundPerRound: 25,
    outboundPerRound: 6,
    hasNextRound,
    killAlso: async (round) => (values["database-too"] && round % 4 === 3 ? killDatabase() : undefined),
    onProgress: (words) => process.stdout.write(`\r${words}, ${minutes().toFixed(1)} min `),
  });
}

function stormOfCampaign(contacts: number) {
  return runCampaignStorm({
    folder: join(folder, "campaign"),
    databaseUrl: database.url,
    contacts,
    kills: Math.min(Number(values.rounds), 40),
    killEveryMs: 6_000,
    speed: 60,
    withinMs: 3_600_000,
  });
}

/** kill -9 of the whole database server; the supervisor of the embedded database restarts it. */
async function killDatabase(): Promise<void> {
  const [pid] = readFileSync(join(folder, "postgres/postgres/postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
}
