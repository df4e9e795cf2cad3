import { z } from "zod";
import type { PubSub } from "../pubsub/index.ts";

/** Behind this the people at their screens notice. */
const LATE_MS = 300;
/** After this time without another report a tail has caught up, or its process is gone. */
const REPORT_LASTS_MS = 2_000;
const TOPIC = "tail-lag";
/** Ephemeral events belong to a company; the tail to none. */
const NO_COMPANY = 0;

/** How late the browsers of all processes get events. A worker has no sockets, but it can slow down for those that have. */
export interface TailLag {
  /** Tells every process how long the events of a batch have waited in this one, where that is late. */
  report(ms: number): void;
  /** The last report; 0 when no process is late. */
  ms(): number;
}

export function createTailLag(pubsub: PubSub): TailLag {
  let last = { ms: 0, at: Number.NEGATIVE_INFINITY };
  pubsub.subscribe(TOPIC, z.object({ ms: z.number() }), (_companyId, { ms }) => {
    last = { ms, at: performance.now() };
  });
  return {
    report(ms) {
      if (ms > LATE_MS) {
        pubsub.publish(NO_COMPANY, TOPIC, TOPIC, { ms });
      }
    },
    ms: () => (performance.now() - last.at < REPORT_LASTS_MS ? last.ms : 0),
  };
}
