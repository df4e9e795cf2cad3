import { closeSync, openSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { withMarks } from "./chat-marks.ts";
import { parseChat } from "./parse-chat.ts";
import type { ChatLine } from "./parse-chat.ts";
import { ArchiveError, openChatArchive } from "./read-archive.ts";
import type { ChatAnswer, ChatRequest } from "./read-chat.ts";

/** Reads one exported chat and ends. A crafted one can exhaust memory or time: the thread limits both. */
const request = workerData as ChatRequest;

const maxAuthors = 200;
const linesAtOnce = 1_000;

async function read({ path, contentType, latest, into }: ChatRequest): Promise<ChatAnswer> {
  try {
    const archive = await openChatArchive(path, contentType);
    try {
      const { lines, misdated } = parseChat(await archive.readText(), latest);
      const [first, last] = [lines[0], lines.at(-1)];
      if (!first || !last) {
        return { failure: "unreadable" };
      }
      if (into !== undefined) {
        write(into, lines);
      }
      return {
        preview: {
          authors: authorsOf(lines),
          messages: lines.length,
          files: lines.filter(({ file }) => file !== null && archive.names.has(file.normalize("NFC"))).length,
          misdated,
          first: first.at,
          last: last.at,
        },
      };
    } finally {
      archive.close();
    }
  } catch (error) {
    return { failure: error instanceof ArchiveError ? error.failure : "unreadable" };
  }
}

function authorsOf(lines: readonly ChatLine[]) {
  const counts = new Map<string, number>();
  lines.forEach(({ author }) => counts.set(author, (counts.get(author) ?? 0) + 1));
  return [...counts]
    .map(([name, messages]) => ({ name, messages }))
    .toSorted((a, b) => b.messages - a.messages)
    .slice(0, maxAuthors);
}

function write(path: string, lines: readonly ChatLine[]): void {
  const file = openSync(path, "w", 0o600);
  try {
    const known = withMarks(lines);
    for (let from = 0; from < known.length; from += linesAtOnce) {
      const texts = known.slice(from, from + linesAtOnce).map((line) => `${oneLine(JSON.stringify(line))}\n`);
      writeSync(file, texts.join(""));
    }
  } finally {
    closeSync(file);
  }
}

/** Who reads lines takes these two characters for ends of them; JSON does not escape them. */
function oneLine(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

parentPort?.postMessage(await read(request));
