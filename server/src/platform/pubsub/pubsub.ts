import { z } from "zod";
import type { ListenNotify } from "../db/index.ts";
import type { Logger } from "../log/index.ts";

/**
 * Ephemeral events between processes: who views a conversation, who types. They are never stored and may be lost, so
 * publishers repeat what still holds and subscribers let it expire.
 */
export interface PubSub {
  /**
   * Calls the subscribers of this process at once and those of others within 50 ms. Of several events with one `key`
   * in that time only the last is sent.
   */
  publish(companyId: number, topic: string, key: string, payload: unknown): void;
  /** Payloads that do not match the schema are dropped. Returns the function that ends the subscription. */
  subscribe<T>(topic: string, schema: z.ZodType<T>, listener: (companyId: number, payload: T) => void): () => void;
  /** Sends what waits; resolves when it is sent. For tests, and before a process ends. */
  flush(): Promise<void>;
}

const FLUSH_AFTER_MS = 50;
/** PostgreSQL refuses a NOTIFY payload of 8,000 bytes or more. */
const MAX_BYTES = 7_000;

const ephemeralEvents = z.array(z.tuple([z.number().int(), z.string(), z.unknown()]));
type EphemeralEvent = z.output<typeof ephemeralEvents>[number];
type Listener = (companyId: number, payload: unknown) => void;

export function createPubSub(listenNotify: ListenNotify, log: Logger): PubSub {
  const listeners = new Map<string, Set<Listener>>();
  const waiting = new Map<string, EphemeralEvent>();
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  let isListening = false;

  function dispatch([companyId, topic, payload]: EphemeralEvent): void {
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener(companyId, payload);
      } catch (error) {
        log.error({ err: error, topic }, "subscriber of an ephemeral event failed");
      }
    }
  }

  function receive(text: string): void {
    const received = ephemeralEvents.safeParse(parseJson(text));
    received.data?.forEach(dispatch);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batches = inBatches([...waiting.values()]);
    waiting.clear();
    sending = sending.then(async () => {
      for (const batch of batches) {
        await listenNotify.broadcast(batch);
      }
    });
  }

  return {
    publish(companyId, topic, key, payload) {
      dispatch([companyId, topic, payload]);
      waiting.set(`${companyId} ${topic} ${key}`, [companyId, topic, payload]);
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    subscribe(topic, schema, listener) {
      if (!isListening) {
        isListening = true;
        listenNotify.onBroadcast(receive);
      }
      const checked: Listener = (companyId, payload) => {
        const parsed = schema.safeParse(payload);
        if (parsed.success) {
          listener(companyId, parsed.data);
        }
      };
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(checked));
      return () => all.delete(checked);
    },
    async flush() {
      flush();
      await sending;
    },
  };
}

/** JSON arrays that each fit in a NOTIFY payload; an event that is too large by itself is dropped. */
export function inBatches(events: readonly EphemeralEvent[]): string[] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const event of events) {
    const text = JSON.stringify(event);
    const size = Buffer.byteLength(text) + 1;
    if (size > MAX_BYTES) {
      continue;
    }
    if (batches.length === 0 || bytes + size > MAX_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(text);
    bytes += size;
  }
  return batches.map((batch) => `[${batch.join(",")}]`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
