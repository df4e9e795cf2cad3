import { z } from "zod";
import type { Db } from "#server/platform/db/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import { createPubSub } from "#server/platform/pubsub/index.ts";
import type { PubSub } from "#server/platform/pubsub/index.ts";

/** A move writes rows without events. */
const topic = "rows-moved";

/** Tells the servers that run on this database that a move, an import of a company or an undo has written rows; it may be lost. */
export async function announceMove(db: Pick<Db, "listenNotify">, log: Logger): Promise<void> {
  const pubsub = createPubSub(db.listenNotify, log);
  pubsub.publish(0, topic, topic, true);
  await pubsub.flush();
}

export function onMove(pubsub: PubSub, listener: () => void): void {
  pubsub.subscribe(topic, z.literal(true), listener);
}
