import { LRUCache } from "lru-cache";
import type { JournalEntry, KeyWrite, LineHost } from "../../port.ts";
import { CredentialsLostError } from "../../port.ts";
import { BufferJSON, proto } from "../library.ts";
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "../library.ts";

/**
 * Recently read keys of all lines, in one cache so that an idle line costs no memory. Text, not objects: libsignal
 * mutates the objects that it gets. `null`: known to be absent.
 */
const cache = new LRUCache<string, { readonly value: string | null }>({
  maxSize: 24 * 1024 * 1024,
  sizeCalculation: ({ value }, key) => (value?.length ?? 0) + key.length + 64,
});

/**
 * The key store of Baileys. `set` journals the writes and returns at once; `get` reads writes that are not durable yet
 * before it reads the table.
 */
export class KeyStore implements SignalKeyStore {
  readonly #host: LineHost;
  readonly #put: (entry: JournalEntry) => void;
  readonly #onLost: () => void;
  readonly #cachePrefix: string;
  /** Written, not durable. */
  readonly #overlay = new Map<string, { readonly value: string | null; readonly entry: JournalEntry }>();
  #durableEntries: JournalEntry[] = [];
  #loads = 0;
  #isOpen = true;

  /**
   * `cachePrefix` is unique to the line and the socket, so that no entry of the shared cache outlives either. `onLost` is called before
   * a read rejects because a key cannot be opened: the library takes that for a message that it cannot decrypt.
   */
  constructor(host: LineHost, cachePrefix: string, put: (entry: JournalEntry) => void, onLost: () => void) {
    this.#host = host;
    this.#onLost = onLost;
    this.#cachePrefix = cachePrefix;
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
        writes.push({ type, id, value: value ? serialize(type, value) : null });
      }
    }
    if (writes.length === 0) {
      return;
    }
    const entry: JournalEntry = { kind: "keys", writes };
    for (const { type, id, value } of writes) {
      this.#overlay.set(cacheKeyOf(type, id), { value, entry });
    }
    this.#put(entry);
  }

  /** A read from the table is in flight. */
  get isReading(): boolean {
    return this.#loads > 0;
  }

  /** Called with entries that have become durable. */
  markDurable(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.kind === "keys") {
        this.#durableEntries.push(entry);
      }
    }
    this.#retireDurable();
  }

  /** Ignores later writes: the socket has closed. */
  close(): void {
    this.#isOpen = false;
  }

  #find(type: string, id: string): string | null | undefined {
    const name = cacheKeyOf(type, id);
    const written = this.#overlay.get(name);
    return written ? written.value : cache.get(this.#cachePrefix + name)?.value;
  }

  async #load(type: string, ids: readonly string[]): Promise<void> {
    this.#loads += 1;
    try {
      const loaded = await this.#host.loadKeys(type, ids);
      for (const id of ids) {
        // A write meanwhile is newer than what was read; #find prefers the overlay.
        cache.set(this.#cachePrefix + cacheKeyOf(type, id), { value: loaded.get(id) ?? null });
      }
    } catch (error) {
      if (error instanceof CredentialsLostError) {
        this.#onLost();
      }
      throw error;
    } finally {
      this.#loads -= 1;
      this.#retireDurable();
    }
  }

  /** A read that began before a commit may return the old value: the overlay outlives every read in flight. */
  #retireDurable(): void {
    if (this.#loads > 0) {
      return;
    }
    for (const entry of this.#durableEntries) {
      for (const { type, id } of entry.kind === "keys" ? entry.writes : []) {
        const name = cacheKeyOf(type, id);
        const written = this.#overlay.get(name);
        if (written?.entry === entry) {
          this.#overlay.delete(name);
          cache.set(this.#cachePrefix + name, { value: written.value });
        }
      }
    }
    this.#durableEntries = [];
  }
}

function cacheKeyOf(type: string, id: string): string {
  return `${type}/${id}`;
}

/** Sessions change with every message and hold strings only: they are serialized without the replacer, which is slow. */
function serialize(type: string, value: unknown): string {
  return type === "session" ? JSON.stringify(value) : JSON.stringify(value, BufferJSON.replacer);
}

function revive<T extends keyof SignalDataTypeMap>(type: T, text: string): SignalDataTypeMap[T] {
  const value: unknown = text.includes('"Buffer"') ? JSON.parse(text, BufferJSON.reviver) : JSON.parse(text);
  if (type === "app-state-sync-key") {
    return proto.Message.AppStateSyncKeyData.fromObject(value as object) as unknown as SignalDataTypeMap[T];
  }
  return value as SignalDataTypeMap[T];
}
