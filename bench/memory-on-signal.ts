/** Loaded before the server (`--import`): on SIGUSR2 it collects garbage and writes its memory to BENCH_MEMORY. */
import { writeFileSync } from "node:fs";

process.on("SIGUSR2", () => {
  globalThis.gc?.();
  globalThis.gc?.();
  writeFileSync(process.env["BENCH_MEMORY"] ?? "", JSON.stringify(process.memoryUsage()));
});
