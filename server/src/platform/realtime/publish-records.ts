import { wireName } from "@prosa/contract";
import type { WireSuffix } from "@prosa/contract";
import { z } from "zod";
import type { Ctx } from "../ctx.ts";
import type { RecordedEvent } from "../events/index.ts";
import { everybody } from "./types.ts";
import type { EventHandler, EventTools } from "./types.ts";

interface RecordPublication<T extends { readonly id: number }> {
  /** Suffix of its packets: `tag` for `company-7-tag`. Its events are `tag.created`, `.updated` and `.deleted`. */
  readonly noun: WireSuffix;
  /** Field of the event payload that holds the id. */
  readonly idField: string;
  /** Reads the records of these ids that exist. Additional records are ignored. */
  readonly load: (ctx: Ctx, ids: readonly number[]) => Promise<readonly T[]>;
  /** Rooms of the users who may see the records. Default: everybody of the company. */
  readonly rooms?: (ctx: Ctx) => Promise<readonly string[]>;
  /** Rooms of one record, where they differ by record. Deletions go to `rooms`. */
  readonly recordRooms?: (ctx: Ctx) => Promise<(record: T) => readonly string[]>;
}

/** Event handlers of a noun that is published as whole records: `{ action, record }` and `{ action: "delete", id }`. */
export function publishRecords<T extends { readonly id: number }>(
  publication: RecordPublication<T>,
): Record<string, EventHandler> {
  const { noun, idField, load, rooms, recordRooms } = publication;
  const payloadSchema = z.object({ [idField]: z.number().int() });
  const idsOf = (batch: readonly RecordedEvent[]) =>
    batch.map(({ payload }) => payloadSchema.parse(payload)[idField] ?? 0);
  const roomsBy = async (read: EventTools["read"]) => (rooms ? read(rooms) : [everybody]);
  const recordRoomsBy = async (read: EventTools["read"]): Promise<(record: T) => readonly string[]> => {
    const all = recordRooms ? [] : await roomsBy(read);
    return recordRooms ? read(recordRooms) : () => all;
  };

  const publish =
    (action: "create" | "update"): EventHandler =>
    async (batch, { companyId, read }) => {
      const ids = new Set(idsOf(batch));
      const [found, roomsOf] = await Promise.all([read((ctx) => load(ctx, [...ids])), recordRoomsBy(read)]);
      return found
        .filter(({ id }) => ids.has(id))
        .map((record) => ({ rooms: roomsOf(record), event: wireName(companyId, noun), payload: { action, record } }));
    };

  return {
    [`${noun}.created`]: publish("create"),
    [`${noun}.updated`]: publish("update"),
    [`${noun}.deleted`]: async (batch, { companyId, read }) => {
      const rooms = await roomsBy(read);
      return idsOf(batch).map((id) => ({
        rooms,
        event: wireName(companyId, noun),
        payload: { action: "delete", id },
      }));
    },
  };
}
