import { open } from "node:fs/promises";
import type { ChatPreview } from "@prosa/contract";
import { threadRunner } from "#server/platform/run-in-thread.ts";
import type { KnownLine } from "./chat-marks.ts";
import { ArchiveError } from "./read-archive.ts";

export interface ChatRequest {
  readonly path: string;
  readonly contentType: string;
  /** The wall clock of the latest time that a message can have. */
  readonly latest: string;
  /** Where the messages are written to, a line each as JSON; undefined: only what the chat holds. */
  readonly into: string | undefined;
}

export type ChatAnswer = { readonly preview: ChatPreview } | { readonly failure: ArchiveError["failure"] };

/** A chat of 16 MB took the loop of a process 0.7 s. */
const readInThread = threadRunner<ChatRequest, ChatAnswer>(new URL("./read-chat.worker.ts", import.meta.url), {
  failure: "unreadable",
});
/** A phone may be in a time zone half a day ahead, and its clock a little wrong. */
const aheadMs = 2 * 86_400_000;

/**
 * What an exported chat holds; with `into` its messages are written there, as `linesOf` reads them. In a thread of its own, two at a time
 * in a process, of two companies: others wait. Throws ArchiveError.
 */
export async function readChat(
  file: { readonly path: string; readonly contentType: string },
  { now, companyId }: { readonly now: Date; readonly companyId: number },
  into?: string,
): Promise<ChatPreview> {
  const latest = new Date(now.getTime() + aheadMs).toISOString().slice(0, 19);
  const { path, contentType } = file;
  const answer = await readInThread({ path, contentType, latest, into }, { companyId });
  if ("failure" in answer) {
    throw new ArchiveError(answer.failure);
  }
  return answer.preview;
}

/** The messages that `readChat` wrote, in batches, without the first ones. */
export async function* linesOf(path: string, from: number, batchSize: number): AsyncGenerator<readonly KnownLine[]> {
  const file = await open(path);
  try {
    let [place, batch]: [number, KnownLine[]] = [0, []];
    for await (const line of file.readLines()) {
      place += 1;
      if (place > from) {
        batch.push(JSON.parse(line) as KnownLine);
      }
      if (batch.length === batchSize) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) {
      yield batch;
    }
  } finally {
    await file.close();
  }
}
