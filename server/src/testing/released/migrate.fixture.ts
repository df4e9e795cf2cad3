import { pino } from "pino";
import { migrateToLatest } from "#server/platform/db/index.ts";

// A separate process that migrates, until a test kills it.
await migrateToLatest({ url: process.argv[2] ?? "", log: pino({ level: "fatal" }) });
