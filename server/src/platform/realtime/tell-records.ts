import { wireName } from "@prosa/contract";
import type { WireSuffix } from "@prosa/contract";
import { z } from "zod";
import type { Ctx } from "../ctx.ts";
import type { RecordedEvent } from "../events/index.ts";
import { everybody } from "./parts.ts";
import type { EventHandler, EventTools } from "./parts.ts";

interface ToldRecords<T extends { readonly id: number }> {
  /** As its packets are called: `tag` for `company-7-tag`. Its events are `tag.created`, `.updated` and `.deleted`. */
  readonly noun: WireSuffix;
  /** What the events call its id. */
  readonly idIn: string;
  /** Those of these ids that there are; more do no harm. */
  readonly load: (ctx: Ctx, ids: readonly number[]) => Promise<readonly T[]>;
  /** Who may see them. Default: everybody of the company. */
  readonly rooms?: (ctx: Ctx) => Promise<readonly string[]>;
  /** Who may see each one, where that differs; that one is gone is told to `rooms`. */
  readonly seers?: (ctx: Ctx) => Promise<(record: T) => readonly string[]>;
}

/** The events of a noun that is told as a whole: `{ action, record }` as it is now, `{ action: "delete", id }`. */
export function tellRecords<T extends { readonly id: number }>(told: ToldRecords<T>): Record<string, EventHandler> {
  const { noun, idIn, load, rooms, seers } = told;
  const about = z.object({ [idIn]: z.number().int() });
  const idsOf = (batch: readonly RecordedEvent[]) => batch.map(({ payload }) => about.parse(payload)[idIn] ?? 0);
  const roomsBy = async (read: EventTools["read"]) => (rooms ? read(rooms) : [everybody]);
  const seersBy = async (read: EventTools["read"]): Promise<(record: T) => readonly string[]> => {
    const all = seers ? [] : await roomsBy(read);
    return seers ? read(seers) : () => all;
  };

  const tell =
    (action: "create" | "update"): EventHandler =>
    async (batch, { companyId, read }) => {
      const ids = new Set(idsOf(batch));
      const [found, seersOf] = await Promise.all([read((ctx) => load(ctx, [...ids])), seersBy(read)]);
      return found
        .filter(({ id }) => ids.has(id))
        .map((record) => ({ rooms: seersOf(record), event: wireName(companyId, noun), payload: { action, record } }));
    };

  return {
    [`${noun}.created`]: tell("create"),
    [`${noun}.updated`]: tell("update"),
    [`${noun}.deleted`]: async (batch, { companyId, read }) => {
      const told = await roomsBy(read);
      return idsOf(batch).map((id) => ({
        rooms: told,
        event: wireName(companyId, noun),
        payload: { action: "delete", id },
      }));
    },
  };
}
