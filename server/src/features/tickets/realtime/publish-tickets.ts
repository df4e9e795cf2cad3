import { wireName } from "@prosa/contract";
import type { Ticket, WirePayload } from "@prosa/contract";
import type { RecordedEvent } from "#server/platform/events/index.ts";
import type { Emission, EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { signViewMediaUrls } from "../sign-media-urls.ts";
import type { TicketAssignment } from "../tickets.policy.ts";
import { ticketRooms } from "./socket-rooms.ts";
import { readTicketViews } from "../tickets.view.queries.ts";

type TicketPacket = WirePayload<"ticket">;

/** Rooms where the ticket is now get the update; rooms that held it before and do not any more are told to drop it. */
export function publishTicketUpdated(media: MediaLinks): EventHandler {
  return async (batch, tools) => {
    const past = placesByTicket(batch);
    const views = await tools.read((ctx) => readTicketViews(ctx, [...past.keys()]));
    const now = new Map(views.map((view) => [view.id, signViewMediaUrls(media, tools.companyId, view)]));
    return [...past].flatMap(([id, places]) => told(tools.companyId, id, places, now.get(id)));
  };
}

/** Pure, so that the audience of every move has a table test. */
export function told(
  companyId: number,
  id: number,
  past: readonly TicketAssignment[],
  now: Ticket | undefined,
): Emission[] {
  const event = wireName(companyId, "ticket");
  const here = now ? ticketRooms(id, now) : [];
  const gone = [...new Set(past.flatMap((place) => ticketRooms(id, place)))].filter((room) => !here.includes(room));
  const drop: TicketPacket = { action: "delete", ticketId: id };
  return [
    ...(gone.length > 0 ? [{ rooms: gone, except: here, event, payload: drop }] : []),
    ...(now ? [{ rooms: here, event, payload: { action: "update", ticket: now } satisfies TicketPacket }] : []),
  ];
}

/** Who had it in sight drops it. */
export const publishTicketDeleted: EventHandler = async (batch, { companyId }) =>
  [...placesByTicket(batch)].flatMap(([id, places]) => told(companyId, id, places, undefined));

/** Who may see the conversation fetches it anew; who looked at the one that went into it reads on here. */
export function publishTicketReloaded(media: MediaLinks): EventHandler {
  return async (batch, { companyId, read }) => {
    const told = batch.map(({ payload }) => payload as unknown as ReloadPayload);
    const views = await read((ctx) => readTicketViews(ctx, [...new Set(told.map(({ ticketId }) => ticketId))]));
    const byId = new Map(views.map((view) => [view.id, signViewMediaUrls(media, companyId, view)]));
    return told.flatMap(({ ticketId, mergedId }): Emission[] => {
      const ticket = byId.get(ticketId);
      const payload = ticket && ({ action: "reload", ticket, mergedId } satisfies TicketPacket);
      return ticket ? [{ rooms: ticketRooms(ticketId, ticket), event: wireName(companyId, "ticket"), payload }] : [];
    });
  };
}

/** The conversation was read: unread goes to zero wherever it is shown. */
export const publishTicketRead: EventHandler = async (batch, { companyId }) =>
  [...placesByTicket(batch)].map(([id, places]) => ({
    rooms: [...new Set(places.flatMap((place) => ticketRooms(id, place)))],
    event: wireName(companyId, "ticket"),
    payload: { action: "updateUnread", ticketId: id } satisfies TicketPacket,
  }));

/** Each ticket of the batch with every place that its events name. */
function placesByTicket(batch: readonly RecordedEvent[]): Map<number, TicketAssignment[]> {
  const places = new Map<number, TicketAssignment[]>();
  for (const { payload } of batch) {
    const { ticketId, from, to, at } = payload as unknown as MovePayload;
    const known = places.get(ticketId) ?? [];
    places.set(ticketId, [...known, ...[from, to, at].filter((place) => !!place)]);
  }
  return places;
}

interface ReloadPayload {
  readonly ticketId: number;
  readonly mergedId: number | null;
}

interface MovePayload {
  readonly ticketId: number;
  readonly from?: TicketAssignment | null;
  readonly to?: TicketAssignment;
  readonly at?: TicketAssignment;
}
