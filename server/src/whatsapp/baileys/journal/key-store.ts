import { LRUCache } from "lru-cache";
import type { JournalEntry, KeyWrite, LineHost } from "../../port.ts";
import { BufferJSON, proto } from "../library.ts";
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "../library.ts";

/**
 * Keys read lately, of all lines together, so that an idle line costs nothing. Text, not objects: libsignal changes
 * what it is given. `null`: known to be absent.
 */
const recent = new LRUCache<string, { readonly value: string | null }>({
  maxSize: 24 * 1024 * 1024,
  sizeCalculation: ({ value }, key) => (value?.length ?? 0) + key.length + 64,
});

/**
 * The key store that Baileys writes to: `set` is journaled and answered at once, `get` reads what is not durable yet
 * before the table.
 */
export class KeyStore implements SignalKeyStore {
  readonly #host: LineHost;
  readonly #put: (entry: JournalEntry) => void;
  readonly #owner: string;
  /** Written, not durable. */
  readonly #overlay = new Map<string, { readonly value: string | null; readonly entry: JournalEntry }>();
  #retired: JournalEntry[] = [];
  #loads = 0;
  #isOpen = true;

  /** `owner` names the line and the socket, so that nothing outlives either in the shared cache. */
  constructor(host: LineHost, owner: string, put: (entry: JournalEntry) => void) {
    this.#host = host;
    this.#owner = owner;
    this.#put = put;
  }

  async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]): Promise<Record<string, SignalDataTypeMap[T]>> {
    const unknown = ids.filter((id) => this.#find(type, id) === undefined);
    if (unknown.length > 0) {
      await this.#load(type, unknown);
    }
    const found: Record<string, SignalDataTypeMap[T]> = {};
    for (const id of ids) {
      const text = this.#find(type, id);
      if (text) {
        found[id] = revive(type, text);
      }
    }
    return found;
  }

  set(data: SignalDataSet): void {
    if (!this.#isOpen) {
      return;
    }
    const writes: KeyWrite[] = [];
    for (const [type, byId] of Object.entries(data)) {
      for (const [id, value] of Object.entries(byId ?? {})) {
        writes.push({ type, id, value: value ? textOf(type, value) : null });
      }
    }
    if (writes.length === 0) {
      return;
    }
    const entry: JournalEntry = { kind: "keys", writes };
    for (const { type, id, value } of writes) {
      this.#overlay.set(nameOf(type, id), { value, entry });
    }
    this.#put(entry);
  }

  /** Has the table not answered yet? */
  get isReading(): boolean {
    return this.#loads > 0;
  }

  /** These entries are durable. */
  retire(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.kind === "keys") {
        this.#retired.push(entry);
      }
    }
    this.#sweep();
  }

  /** The socket is gone: later writes belong to nothing. */
  close(): void {
    this.#isOpen = false;
  }

  #find(type: string, id: string): string | null | undefined {
    const name = nameOf(type, id);
    const written = this.#overlay.get(name);
    return written ? written.value : recent.get(this.#owner + name)?.value;
  }

  async #load(type: string, ids: readonly string[]): Promise<void> {
    this.#loads += 1;
    try {
      const loaded = await this.#host.loadKeys(type, ids);
      for (const id of ids) {
        // Whoever wrote meanwhile is newer than what was read; #find prefers the overlay.
        recent.set(this.#owner + nameOf(type, id), { value: loaded.get(id) ?? null });
      }
    } finally {
      this.#loads -= 1;
      this.#sweep();
    }
  }

  /** A read that began before a commit may answer with the old value: the overlay outlives every read in flight. */
  #sweep(): void {
    if (this.#loads > 0) {
      return;
    }
    for (const entry of this.#retired) {
      for (const { type, id } of entry.kind === "keys" ? entry.writes : []) {
        const name = nameOf(type, id);
        const written = this.#overlay.get(name);
        if (written?.entry === entry) {
          this.#overlay.delete(name);
          recent.set(this.#owner + name, { value: written.value });
        }
      }
    }
    this.#retired = [];
  }
}

function nameOf(type: string, id: string): string {
  return `${type}/${id}`;
}

/** Sessions change with every message and are strings all through: they need no replacer, which costs more than all else. */
function textOf(type: string, value: unknown): string {
  return type === "session" ? JSON.stringify(value) : JSON.stringify(value, BufferJSON.replacer);
}

function revive<T extends keyof SignalDataTypeMap>(type: T, text: string): SignalDataTypeMap[T] {
  const value: unknown = text.includes('"Buffer"') ? JSON.parse(text, BufferJSON.reviver) : JSON.parse(text);
  if (type === "app-state-sync-key") {
    return proto.Message.AppStateSyncKeyData.fromObject(value as object) as unknown as SignalDataTypeMap[T];
  }
  return value as SignalDataTypeMap[T];
}
