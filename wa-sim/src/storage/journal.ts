import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fromJson, toJson } from "./bytes-json.ts";

const COMPACT_ABOVE_BYTES = 8 * 1024 * 1024;

/**
 * The server's durable state, safe against kill -9: named JSON values in one append-only file of lines `name TAB json`,
 * or `name` alone for a removal. The last line of a name wins, so loading parses only live values.
 *
 * `flush` writes the pending lines to the operating system at once. Frames are sent only after it (see
 * connection.ts), so nothing that a client received can be lost. A power cut is out of scope: there is no fsync.
 */
export class Journal {
  readonly #file: string | undefined;
  readonly #values = new Map<string, string>();
  #pending: string[] = [];
  #descriptor = -1;
  #fileBytes = 0;
  #liveBytes = 0;

  /** Without a file nothing is stored. */
  constructor(file?: string) {
    this.#file = file;
    if (file) {
      mkdirSync(dirname(file), { recursive: true });
      this.#load(file);
      this.#compact();
    }
  }

  put(name: string, value: unknown): void {
    if (this.#file) {
      this.#putJson(name, toJson(value));
    }
  }

  /** For a value without byte arrays: several times faster. */
  putPlain(name: string, value: unknown): void {
    if (this.#file) {
      this.#putJson(name, JSON.stringify(value));
    }
  }

  #putJson(name: string, json: string): void {
    this.#liveBytes += json.length - (this.#values.get(name)?.length ?? -name.length);
    this.#values.set(name, json);
    this.#pending.push(`${name}\t${json}\n`);
  }

  remove(name: string): void {
    const json = this.#values.get(name);
    if (json !== undefined) {
      this.#liveBytes -= name.length + json.length;
      this.#values.delete(name);
      this.#pending.push(`${name}\n`);
    }
  }

  get(name: string): unknown {
    const json = this.#values.get(name);
    return json === undefined ? undefined : fromJson(json);
  }

  /** Every value whose name starts with the prefix, in the order of first writing. */
  *entriesWithPrefix(prefix: string): Generator<[name: string, value: unknown]> {
    for (const [name, json] of this.#values) {
      if (name.startsWith(prefix)) {
        yield [name, fromJson(json)];
      }
    }
  }

  flush(): void {
    if (this.#pending.length === 0) {
      return;
    }
    const text = this.#pending.join("");
    this.#pending = [];
    writeAll(this.#descriptor, text);
    this.#fileBytes += text.length;
    if (this.#fileBytes > COMPACT_ABOVE_BYTES && this.#fileBytes > 4 * this.#liveBytes) {
      this.#compact();
    }
  }

  close(): void {
    this.flush();
    if (this.#descriptor >= 0) {
      closeSync(this.#descriptor);
      this.#descriptor = -1;
    }
  }

  #load(file: string): void {
    if (!existsSync(file)) {
      return;
    }
    const text = readFileSync(file, "utf8");
    const end = text.lastIndexOf("\n"); // an incomplete last line was cut by a crash
    for (let start = 0; start <= end;) {
      const stop = text.indexOf("\n", start);
      const tab = text.indexOf("\t", start);
      if (tab >= 0 && tab < stop) {
        this.#values.set(text.slice(start, tab), text.slice(tab + 1, stop));
      } else {
        this.#values.delete(text.slice(start, stop));
      }
      start = stop + 1;
    }
  }

  /** Writes the live values to a new file and renames it over the old one. */
  #compact(): void {
    if (!this.#file) {
      return;
    }
    const temporary = `${this.#file}.new`;
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, "a", 0o600);
    const lines: string[] = [];
    this.#liveBytes = 0;
    for (const [name, json] of this.#values) {
      lines.push(`${name}\t${json}\n`);
      this.#liveBytes += name.length + json.length;
    }
    writeAll(descriptor, lines.join(""));
    renameSync(temporary, this.#file);
    if (this.#descriptor >= 0) {
      closeSync(this.#descriptor);
    }
    this.#descriptor = descriptor;
    this.#fileBytes = this.#liveBytes;
  }
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) {
    offset += writeSync(descriptor, bytes, offset);
  }
}
