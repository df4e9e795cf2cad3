import { wireName } from "@prosa/contract";
import type { WireSuffix } from "@prosa/contract";
import { z } from "zod";
import type { Ctx } from "../ctx.ts";
import type { RecordedEvent } from "../events/index.ts";
import { everybody } from "./types.ts";
import type { Emission, EventHandler, EventTools } from "./types.ts";

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
  const { noun, idField, rooms } = publication;
  const payloadSchema = z.object({ [idField]: z.number().int() });
  const idsOf = (batch: readonly RecordedEvent[]) =>
    batch.map(({ payload }) => payloadSchema.parse(payload)[idField] ?? 0);
  return {
    [`${noun}.created`]: async (batch, tools) => recordPackets(publication, "create", idsOf(batch), tools),
    [`${noun}.updated`]: async (batch, tools) => recordPackets(publication, "update", idsOf(batch), tools),
    [`${noun}.deleted`]: async (batch, { companyId, read }) => {
      const to = rooms ? await read(rooms) : [everybody];
      return idsOf(batch).map((id) => ({
        rooms: to,
        event: wireName(companyId, noun),
        payload: { action: "delete", id },
      }));
    },
  };
}

/** The packets of these records, for events of another noun that change how they are shown. Reads nothing where there are none. */
export async function recordPackets<T extends { readonly id: number }>(
  { noun, load, rooms, recordRooms }: Omit<RecordPublication<T>, "idField">,
  action: "create" | "update",
  recordIds: readonly number[],
  { companyId, read }: EventTools,
): Promise<readonly Emission[]> {
  const ids = new Set(recordIds);
  if (ids.size === 0) {
    return [];
  }
  const roomsOf = async (): Promise<(record: T) => readonly string[]> => {
    if (recordRooms) {
      return read(recordRooms);
    }
    const all = rooms ? await read(rooms) : [everybody];
    return () => all;
  };
  const [found, roomsBy] = await Promise.all([read((ctx) => load(ctx, [...ids])), roomsOf()]);
  return found
    .filter(({ id }) => ids.has(id))
    .map((record) => ({ rooms: roomsBy(record), event: wireName(companyId, noun), payload: { action, record } }));
}
