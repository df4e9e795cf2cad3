import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { knowledgeRules } from "@prosa/contract";
import PQueue from "p-queue";
import { extraction } from "./extraction.ts";
import type { Extraction, FileKind } from "./extraction.ts";
import type { ExtractionTask } from "./extract.worker.ts";

const worker = fileURLToPath(new URL("./extract.worker.ts", import.meta.url));
const require = createRequire(import.meta.url);

const maxMemoryBytes = 512 * 1024 * 1024;
const maxHeapMb = 256;
const timeoutMs = 60_000;
/** Bytes of the answer: a character takes up to six in JSON. */
const maxAnswerBytes = 16 * 1024 * 1024;
/** Each run may take a core: one at a time. */
const queue = new PQueue({ concurrency: 1 });

/** Folders that the process may read: its own, and those of packages. The file itself comes by its standard input. */
const readable = [...new Set([dirname(worker), ...packageFolders()])];

function packageFolders(): string[] {
  return ["unpdf", "yauzl", "saxes"].map((name) => {
    const path = require.resolve(name);
    return path.slice(0, path.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length);
  });
}

/**
 * Takes the text out of an untrusted file, in a separate process that can read nothing but its code, has no network to answer to, and
 * limits of time and memory. A file that exceeds them, or that its reader fails on, is `unreadable`. Rejects only with the reason of
 * the signal, or if the process does not start.
 */
export async function extractText(bytes: Uint8Array, kind: FileKind, signal: AbortSignal): Promise<Extraction> {
  signal.throwIfAborted();
  return queue.add(() => run(bytes, kind, signal), { signal });
}

async function run(bytes: Uint8Array, kind: FileKind, signal: AbortSignal): Promise<Extraction> {
  const task: ExtractionTask = {
    kind,
    limits: { pages: knowledgeRules.maxPages, characters: knowledgeRules.maxFileText, partBytes: 64 * 1024 * 1024 },
    maxMemoryBytes,
  };
  const child = spawn(
    process.execPath,
    [
      "--permission",
      "--allow-worker",
      ...readable.map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${maxHeapMb}`,
      "--no-warnings",
      worker,
      JSON.stringify(task),
    ],
    {
      stdio: ["pipe", "pipe", "ignore"],
      env: {},
      windowsHide: true,
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      signal,
    },
  );
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > maxAnswerBytes) {
      child.stdout.destroy();
      child.kill("SIGKILL");
    }
  });
  // A process that has ended takes no more bytes.
  child.stdin.on("error", () => undefined);
  child.stdin.end(bytes);
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => {
      reject(signal.aborted ? (signal.reason as Error) : cause);
    });
    child.once("close", () => resolve(answerOf(Buffer.concat(chunks).toString())));
  });
}

function answerOf(printed: string): Extraction {
  try {
    return extraction.parse(JSON.parse(printed));
  } catch {
    return { failure: "unreadable" };
  }
}
