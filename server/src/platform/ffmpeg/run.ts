import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import PQueue from "p-queue";
import { z } from "zod";

const MAX_STDERR = 2_000;
/** Per file, which is held in memory twice. */
const MAX_INPUT_BYTES = 100 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const MAX_HEAP_MB = 128;
/** Characters of output, which an untrusted file can inflate. */
const MAX_RESULT = 1024 * 1024;
/** Each run takes a core and up to 512 MB, so at most two run at once. */
const queue = new PQueue({ concurrency: 2 });

const worker = fileURLToPath(new URL("./ffmpeg.worker.ts", import.meta.url));
const require = createRequire(import.meta.url);

/** ffmpeg cannot read the file, or exceeded a limit. */
export class FfmpegError extends Error {
  override readonly name = "FfmpegError";
  readonly isTooLong: boolean;

  constructor(
    message: string,
    { isTooLong = false, ...options }: ErrorOptions & { readonly isTooLong?: boolean } = {},
  ) {
    super(message, options);
    this.isTooLong = isTooLong;
  }
}

export interface FfmpegRun {
  readonly tool?: "ffmpeg" | "ffprobe";
  /** Path of the file that `args` call `input`. */
  readonly input: string;
  /** Paths of output files by their names in `args`. */
  readonly outputs?: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Time limit of the run, without the time in the queue. */
  readonly timeoutMs: number;
}

/** Arguments and result of the worker process. */
export interface FfmpegTask extends Required<Pick<FfmpegRun, "tool" | "input" | "outputs" | "args">> {
  readonly core: string;
  readonly wasm: string;
  readonly maxMemoryBytes: number;
  readonly maxOutputBytes: number;
  readonly maxStderr: number;
}
const ffmpegResult = z.object({ code: z.number(), printed: z.string(), words: z.string() });
export type FfmpegResult = z.output<typeof ffmpegResult>;

/**
 * Runs ffmpeg on an untrusted file, as WebAssembly in a separate process (decision 0120): it can read that file only, has
 * no network (its WebAssembly has no sockets), and limits of time, memory and file size. Two run at once, others are
 * queued. Returns its output; rejects with FfmpegError or the reason of the signal.
 */
export async function runFfmpeg(run: FfmpegRun): Promise<string> {
  const { tool = "ffmpeg", input, outputs = {}, args, signal, timeoutMs: mostMs } = run;
  signal.throwIfAborted();
  const { size } = await stat(input);
  if (size > MAX_INPUT_BYTES) {
    throw new FfmpegError(`${size} bytes are too many`);
  }
  const task: FfmpegTask = {
    ...{ tool, input, outputs, args },
    core: require.resolve("@ffmpeg/core"),
    wasm: require.resolve("@ffmpeg/core/wasm"),
    maxMemoryBytes: MAX_MEMORY_BYTES,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    maxStderr: MAX_STDERR,
  };
  const { code, printed, words } = await queue.add(() => runWorker(task, signal, mostMs), { signal });
  if (code !== 0 && tool === "ffmpeg") {
    throw new FfmpegError(words.trim() || `exit ${code}`);
  }
  return printed;
}

async function runWorker(task: FfmpegTask, signal: AbortSignal, mostMs: number): Promise<FfmpegResult> {
  const readable = [dirname(worker), dirname(task.core), dirname(task.wasm), task.input];
  const child = spawn(
    process.execPath,
    [
      "--permission",
      ...readable.map((path) => `--allow-fs-read=${path}`),
      ...Object.values(task.outputs).map((path) => `--allow-fs-write=${path}`),
      `--max-old-space-size=${MAX_HEAP_MB}`,
      "--no-warnings",
      worker,
      JSON.stringify(task),
    ],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: {},
      windowsHide: true,
      timeout: mostMs,
      killSignal: "SIGKILL",
      signal,
    },
  );
  let answer = "";
  let words = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    answer += chunk;
    if (answer.length > MAX_RESULT) {
      child.stdout.destroy();
      child.kill("SIGKILL");
    }
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    words = `${words}${chunk}`.slice(-MAX_STDERR);
  });
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => {
      reject(signal.aborted ? (signal.reason as Error) : new FfmpegError("ffmpeg did not start", { cause }));
    });
    child.once("close", (code, killedBy) => {
      if (answer.length > MAX_RESULT) {
        reject(new FfmpegError("it printed too much"));
      } else if (code === 0) {
        // What is thrown in a listener would end the whole process.
        try {
          resolve(ffmpegResult.parse(JSON.parse(answer)));
        } catch (cause) {
          reject(new FfmpegError("ffmpeg gave no answer", { cause }));
        }
      } else {
        const reason = killedBy === null ? words.trim() || `exit ${code}` : `ended by ${killedBy}`;
        reject(new FfmpegError(reason, { isTooLong: child.killed }));
      }
    });
  });
}
