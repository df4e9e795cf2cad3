import type { RecordedEvent } from "../events/index.ts";
import { everybody } from "./types.ts";
import type { Emission, EventHandler, EventTools } from "./types.ts";

/** Asks a browser to refetch its screens, at a random moment within this time so that a thousand do not refetch at once. */
export interface Refetch {
  readonly withinMs: number;
}

export const refetchEvent = "refetch";

/**
 * Packets of one company's events, in the order of each type's first event. When a handler fails twice, the whole
 * company is asked to refetch.
 */
export async function emissionsOf(
  events: readonly RecordedEvent[],
  handlers: ReadonlyMap<string, EventHandler>,
  tools: EventTools,
): Promise<readonly Emission[]> {
  const byType = Map.groupBy(events, ({ type }) => type);
  const emissions: Emission[] = [];
  for (const [type, batch] of byType) {
    const handler = handlers.get(type);
    if (handler) {
      emissions.push(...(await handleOrRefetch(handler, batch, tools)));
    }
  }
  return emissions;
}

async function handleOrRefetch(
  handler: EventHandler,
  batch: readonly RecordedEvent[],
  tools: EventTools,
): Promise<readonly Emission[]> {
  try {
    return await handler(batch, tools).catch(() => handler(batch, tools));
  } catch (error) {
    tools.log.error(
      { err: error, companyId: tools.companyId, types: batch.map(({ type }) => type) },
      "events could not be published",
    );
    return [{ rooms: [everybody], event: refetchEvent, payload: { withinMs: 5_000 } satisfies Refetch }];
  }
}
