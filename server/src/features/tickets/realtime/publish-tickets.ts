import { wireName } from "@prosa/contract";
import type { Ticket, WirePayload } from "@prosa/contract";
import type { RecordedEvent } from "#server/platform/events/index.ts";
import type { Emission, EventHandler, EventTools } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { signViewMediaUrls } from "../sign-media-urls.ts";
import type { TicketAssignment } from "../tickets.policy.ts";
import { readViewsToPublish } from "../tickets.view.queries.ts";
import { conversationRooms, ticketRooms } from "./socket-rooms.ts";

type TicketPacket = WirePayload<"ticket">;

/**
 * `ticket.updated`: rooms that the ticket left get a deletion, then the rooms that it is in now get its view; a socket in both
 * gets both, in this order (behaviour 2). Only who looks at the ticket itself is spared the deletion, which would close it.
 */
export function publishTicketUpdated(media: MediaLinks): EventHandler {
  return async (batch, tools) => {
    const past = assignmentsByTicket(batch);
    const now = await viewsNow(media, tools, [...past.keys()]);
    return [...past].flatMap(([id, assignments]) => ticketPackets(tools.companyId, id, assignments, now.get(id)));
  };
}

/** Packets for a ticket that had these assignments, and is `now` (undefined: deleted). */
function ticketPackets(
  companyId: number,
  id: number,
  past: readonly TicketAssignment[],
  now: Ticket | undefined,
): Emission[] {
  const event = wireName(companyId, "ticket");
  const current = now ? ticketRooms(id, now) : [];
  const left = [...new Set(past.flatMap((assignment) => ticketRooms(id, assignment)))].filter(
    (room) => !current.includes(room),
  );
  const viewers = now ? conversationRooms(id, now) : [];
  const deletion: TicketPacket = { action: "delete", ticketId: id };
  return [
    ...(left.length > 0 ? [{ rooms: left, except: viewers, event, payload: deletion }] : []),
    ...(now ? [{ rooms: current, event, payload: { action: "update", ticket: now } satisfies TicketPacket }] : []),
  ];
}

/** `ticket.deleted`: rooms that the ticket was in get a deletion. */
export const publishTicketDeleted: EventHandler = async (batch, { companyId }) =>
  [...assignmentsByTicket(batch)].flatMap(([id, assignments]) => ticketPackets(companyId, id, assignments, undefined));

/** `ticket.reloaded`: browsers fetch the conversation anew; those that show the merged ticket switch to this one. */
export function publishTicketReloaded(media: MediaLinks): EventHandler {
  return async (batch, tools) => {
    const payloads = batch.map(({ payload }) => payload as unknown as ReloadPayload);
    const now = await viewsNow(media, tools, [...new Set(payloads.map(({ ticketId }) => ticketId))]);
    const event = wireName(tools.companyId, "ticket");
    return payloads.flatMap(({ ticketId, mergedId }): Emission[] => {
      const ticket = now.get(ticketId);
      const payload = ticket && ({ action: "reload", ticket, mergedId } satisfies TicketPacket);
      return ticket ? [{ rooms: ticketRooms(ticketId, ticket), event, payload }] : [];
    });
  };
}

/**
 * `ticket.unread`: the unread counter goes to zero wherever the ticket is shown. Where a message came since, its view is published
 * instead: events are grouped by type, so the message may have been told before this one, as in a replay (N-05).
 */
export function publishTicketRead(media: MediaLinks): EventHandler {
  return async (batch, tools) => {
    const past = assignmentsByTicket(batch);
    const now = await viewsNow(media, tools, [...past.keys()]);
    const event = wireName(tools.companyId, "ticket");
    return [...past].flatMap(([id, assignments]): Emission[] => {
      const ticket = now.get(id);
      if (ticket && ticket.unreadMessages > 0) {
        return [
          { rooms: ticketRooms(id, ticket), event, payload: { action: "update", ticket } satisfies TicketPacket },
        ];
      }
      const rooms = [...new Set(assignments.flatMap((assignment) => ticketRooms(id, assignment)))];
      return [{ rooms, event, payload: { action: "updateUnread", ticketId: id } satisfies TicketPacket }];
    });
  };
}

/** The tickets as they are now, by their ids; those that were deleted are missing. */
async function viewsNow(
  media: MediaLinks,
  { companyId, read }: EventTools,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Ticket>> {
  const views = await read((ctx) => readViewsToPublish(ctx, ids));
  return new Map(views.map((view) => [view.id, signViewMediaUrls(media, companyId, view)]));
}

/** Each ticket of the batch with every assignment that its events hold. */
function assignmentsByTicket(batch: readonly RecordedEvent[]): Map<number, TicketAssignment[]> {
  const assignments = new Map<number, TicketAssignment[]>();
  for (const { payload } of batch) {
    const { ticketId, from, to, at } = payload as unknown as MovePayload;
    const earlier = assignments.get(ticketId) ?? [];
    assignments.set(ticketId, [...earlier, ...[from, to, at].filter((each) => !!each)]);
  }
  return assignments;
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
