import { mkdtemp, opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Cron } from "../jobs/index.ts";

const prefix = "upload-";
const maxAgeMs = 24 * 60 * 60 * 1_000;

/** A folder for the files of one request, which deletes it when it is answered. */
export async function makeUploadFolder(tempDir: string): Promise<string> {
  return mkdtemp(join(tempDir, prefix));
}

/** Deletes each night the folders of requests whose process was killed: those into which nothing was written for a day. */
export function createUploadSweep(tempDir: string): Cron {
  return {
    name: "uploads.sweep",
    at: { hour: 4, minute: 40 },
    async run({ clock, log }) {
      const before = clock.now().getTime() - maxAgeMs;
      let deleted = 0;
      for await (const entry of await opendir(tempDir)) {
        const folder = join(tempDir, entry.name);
        if (entry.isDirectory() && entry.name.startsWith(prefix) && (await lastWrite(folder)) < before) {
          await rm(folder, { recursive: true, force: true });
          deleted += 1;
        }
      }
      log.info({ deleted }, "folders of interrupted uploads deleted");
    },
  };
}

/** In ms since 1970; a slow upload writes to its file for as long as it takes. */
async function lastWrite(folder: string): Promise<number> {
  const files = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    [folder, ...files.map((file) => join(folder, file))].map((path) => stat(path).catch(() => undefined)),
  );
  return Math.max(...found.map((each) => each?.mtimeMs ?? 0));
}
