import type { Ctx } from "#server/platform/ctx.ts";
import { affinityOf } from "./messages.rules.ts";

/** Wanted until now, on its way from here: the file of a message is fetched by the process that owns the line. */
export function fetchMedia(ctx: Ctx, connectionId: number, messageId: number, runAt?: Date): void {
  ctx.enqueue({
    task: "media.fetch",
    payload: { connectionId, messageId },
    affinity: affinityOf(connectionId),
    key: `media:${messageId}`,
    ...(runAt && { runAt }),
  });
}
