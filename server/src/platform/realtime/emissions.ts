import type { RecordedEvent } from "../events/index.ts";
import { everybody } from "./parts.ts";
import type { Emission, EventHandler, EventTools } from "./parts.ts";

/** Asks a browser to fetch its screens anew; spread over this time, so that a thousand do not ask at once. */
export interface Refetch {
  readonly withinMs: number;
}

export const refetchEvent = "refetch";

/**
 * Packets of one company's events, in the order of each type's first event. A handler that fails twice is not skipped
 * in silence: everybody of the company is asked to fetch anew.
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
      "events could not be told",
    );
    return [{ rooms: [everybody], event: refetchEvent, payload: { withinMs: 5_000 } satisfies Refetch }];
  }
}
