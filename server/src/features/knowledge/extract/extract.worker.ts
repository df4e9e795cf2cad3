import { buffer } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import type { Extraction, ExtractionLimits, FileKind } from "./extraction.ts";

/** Reads one file that somebody uploaded, in a process of its own (decision 0241). */
export interface ExtractionTask {
  readonly kind: FileKind;
  readonly limits: ExtractionLimits;
  /** Of the whole process. */
  readonly maxMemoryBytes: number;
}

const task = JSON.parse(process.argv[2] ?? "") as ExtractionTask;
guardMemory(task.maxMemoryBytes);
const bytes = await buffer(process.stdin);
const answer = await read(new Uint8Array(bytes), task).catch((error: unknown): Extraction => {
  process.stderr.write(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return { failure: "unreadable" };
});
process.stdout.write(JSON.stringify(answer), () => process.exit(0));

async function read(file: Uint8Array, { kind, limits }: ExtractionTask): Promise<Extraction> {
  // Each reader is a large library: only the one that is needed is loaded.
  switch (kind) {
    case "pdf":
      return (await import("./read-pdf.ts")).readPdf(file, limits);
    case "docx":
      return (await import("./read-docx.ts")).readDocx(file, limits);
    case "text":
      return readText(file, limits);
  }
}

async function readText(file: Uint8Array, limits: ExtractionLimits): Promise<Extraction> {
  const { sectionsOfText } = await import("./sections-of-text.ts");
  const text = decoded(file);
  return text.length > limits.characters ? { failure: "tooLong" } : { sections: sectionsOfText(text), pages: null };
}

/** UTF-16 where it begins with that mark ("Unicode" in editors of Windows), else UTF-8, else Windows-1252, in which they save too. */
function decoded(file: Uint8Array): string {
  const wide = file[0] === 0xff && file[1] === 0xfe ? "le" : file[0] === 0xfe && file[1] === 0xff ? "be" : undefined;
  if (wide) {
    return new TextDecoder(`utf-16${wide}`).decode(file);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    return new TextDecoder("windows-1252").decode(file);
  }
}

/**
 * Ends the process when it has grown too large. A heap limit does not count what is outside the heap, where the unpacked bytes of a
 * file are; and this thread may be busy for its whole life, so another one watches.
 */
function guardMemory(maxBytes: number): void {
  const watch = `setInterval(() => { if (process.memoryUsage.rss() > ${maxBytes}) process.kill(process.pid, "SIGKILL"); }, 50)`;
  new Worker(watch, { eval: true }).unref();
}
