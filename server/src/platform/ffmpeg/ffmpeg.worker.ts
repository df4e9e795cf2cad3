import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FfmpegResult, FfmpegTask } from "./run.ts";

/** The API of the package, which is written for web workers and has no types. */
interface Core {
  readonly FS: {
    writeFile(path: string, bytes: Uint8Array): void;
    readFile(path: string): Uint8Array;
    stat(path: string): { readonly size: number };
    chdir(path: string): void;
    mkdir(path: string): void;
  };
  exec(...args: readonly string[]): number;
  ffprobe(...args: readonly string[]): number;
  setLogger(logger: (line: { readonly type: string; readonly message: string }) => void): void;
}
interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}
type MakeCore = (options: {
  instantiateWasm(imports: object, done: (instance: Instance) => void): object;
}) => Promise<Core>;

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
/** Missing from the types of Node. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    compile(bytes: Uint8Array): Promise<object>;
    instantiate(module: object, imports: object): Promise<Instance>;
    readonly Memory: new (...size: never) => Memory;
  };
};

const PAGE_BYTES = 65_536;

/** One run of ffmpeg, in a process with access to the files of this run only. */
const task = JSON.parse(process.argv[2] ?? "") as FfmpegTask;
process.stdout.write(JSON.stringify(await run()));

async function run(): Promise<FfmpegResult> {
  const core = await load();
  const printed: string[] = [];
  let words = "";
  core.setLogger(({ type, message }) => {
    if (type === "stdout") {
      printed.push(message);
    } else {
      // A damaged file produces many errors; the last ones are enough.
      words = `${words}${message}\n`.slice(-task.maxStderr);
    }
  });
  core.FS.mkdir("/files");
  core.FS.chdir("/files");
  core.FS.writeFile("input", readFileSync(task.input));

  const code = core[task.tool === "ffprobe" ? "ffprobe" : "exec"](...task.args);
  if (code === 0) {
    for (const [name, path] of Object.entries(task.outputs)) {
      if (core.FS.stat(name).size > task.maxOutputBytes) {
        throw new Error(`${name} is too large`);
      }
      writeFileSync(path, core.FS.readFile(name));
    }
  }
  return { code, printed: printed.join("\n"), words };
}

async function load(): Promise<Core> {
  // The package runs in web workers only, which it detects by these globals.
  Object.assign(globalThis, { self: Object.assign(globalThis, { location: { href: "file:///" } }) });
  const make = createRequire(import.meta.url)(task.core) as MakeCore;
  const module = await wasm.compile(readFileSync(task.wasm));
  return make({
    instantiateWasm(imports, done) {
      void wasm.instantiate(module, imports).then((instance) => {
        Object.values(instance.exports).forEach(limitMemory);
        done(instance);
      });
      return {};
    },
  });
}

/** Fails memory.grow beyond the limit, as on a machine without free memory. */
function limitMemory(memory: unknown): void {
  if (memory instanceof wasm.Memory) {
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * PAGE_BYTES > task.maxMemoryBytes) {
        throw new RangeError("memory limit exceeded");
      }
      return grow(pages);
    };
  }
}
