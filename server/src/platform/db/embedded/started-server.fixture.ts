import { pino } from "pino";
import { startEmbedded } from "./embedded.ts";

// A separate process that starts the embedded database and keeps running, until a test kills it.
const { url } = await startEmbedded({ dataDir: process.argv[2] ?? "", log: pino({ level: "fatal" }) });
process.stdout.write(url);
setInterval(() => undefined, 60_000);
