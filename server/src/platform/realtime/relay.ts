import { z } from "zod";
import type { Wakeups } from "../db/index.ts";
import type { Logger } from "../log/index.ts";

/**
 * Carries facts that are never stored from process to process: who looks at what, who types. A fact may be lost, so
 * whoever tells one renews it, and whoever hears one lets it expire.
 */
export interface Relay {
  /**
   * Tells listeners of the topic, those of this process at once. Several of one `key` within a twentieth of a second
   * are one: the last.
   */
  tell(companyId: number, topic: string, key: string, fact: unknown): void;
  /** Hears a topic; a fact that is not of this shape is left out. Returns the function that ends the subscription. */
  on<T>(topic: string, shape: z.ZodType<T>, listener: (companyId: number, fact: T) => void): () => void;
  /** Resolves when everything told so far has been sent. For tests, and before a process ends. */
  sent(): Promise<void>;
}

const TOGETHER_MS = 50;
/** PostgreSQL refuses a payload from 8,000 bytes on. */
const MOST_BYTES = 7_000;

const packets = z.array(z.tuple([z.number().int(), z.string(), z.unknown()]));
type Packet = z.output<typeof packets>[number];
type Listener = (companyId: number, fact: unknown) => void;

export function createRelay(wakeups: Wakeups, log: Logger): Relay {
  const listeners = new Map<string, Set<Listener>>();
  const waiting = new Map<string, Packet>();
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  let isHearing = false;

  function hand([companyId, topic, fact]: Packet): void {
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener(companyId, fact);
      } catch (error) {
        log.error({ err: error, topic }, "a passing fact could not be heard");
      }
    }
  }

  function hear(words: string): void {
    const heard = packets.safeParse(parsed(words));
    heard.data?.forEach(hand);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batches = inBatches([...waiting.values()]);
    waiting.clear();
    sending = sending.then(async () => {
      for (const batch of batches) {
        await wakeups.whisper(batch);
      }
    });
  }

  return {
    tell(companyId, topic, key, fact) {
      hand([companyId, topic, fact]);
      waiting.set(`${companyId} ${topic} ${key}`, [companyId, topic, fact]);
      timer ??= setTimeout(flush, TOGETHER_MS).unref();
    },
    on(topic, shape, listener) {
      if (!isHearing) {
        isHearing = true;
        wakeups.onWhisper(hear);
      }
      const checked: Listener = (companyId, fact) => {
        const known = shape.safeParse(fact);
        if (known.success) {
          listener(companyId, known.data);
        }
      };
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(checked));
      return () => all.delete(checked);
    },
    async sent() {
      flush();
      await sending;
    },
  };
}

/** As JSON texts that PostgreSQL takes; what is too large by itself is left out. */
export function inBatches(facts: readonly Packet[]): string[] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const fact of facts) {
    const text = JSON.stringify(fact);
    const size = Buffer.byteLength(text) + 1;
    if (size > MOST_BYTES) {
      continue;
    }
    if (batches.length === 0 || bytes + size > MOST_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(text);
    bytes += size;
  }
  return batches.map((batch) => `[${batch.join(",")}]`);
}

function parsed(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}
