import { pino } from "pino";
import { systemClock } from "../clock/index.ts";
import { openDatabase } from "../db/index.ts";
import { createJobRunner } from "./index.ts";

// A separate process that claims the job "hang", prints its id and never ends, until a test kills it.
const log = pino({ level: "fatal" });
const db = openDatabase({ url: process.argv[2] ?? "", log, max: 1, systemMax: 1 });
const runner = createJobRunner({
  db,
  clock: systemClock,
  log,
  tasks: {
    hang(job) {
      process.stdout.write(`took ${job.id}\n`);
      return new Promise(() => undefined);
    },
  },
});
await runner.start();
setInterval(() => undefined, 60_000);
