import { wireName } from "@prosa/contract";
import type { WirePayload } from "@prosa/contract";
import { z } from "zod";
import { conversationRooms, readTicketViews } from "#server/features/tickets/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { findNotesById } from "./notes.queries.ts";

const about = z.object({ ticketId: z.number().int(), noteId: z.number().int() });
type NotePacket = WirePayload<"ticketNote">;

/** New notes, to those who look at their conversation. */
export const tellCreated: EventHandler = async (batch, { companyId, read }) => {
  const ids = new Set(batch.map(({ payload }) => about.parse(payload).noteId));
  const rows = await read((ctx) => findNotesById(ctx, [...ids]));
  return rows.flatMap(({ note, place }) => {
    const { ticketId } = note;
    return ticketId === null || place === null
      ? []
      : [
          {
            rooms: conversationRooms(ticketId, place),
            event: wireName(companyId, "ticketNote"),
            payload: { action: "create", ticketId, note } satisfies NotePacket,
          },
        ];
  });
};

/** With a ticket that went away its notes went too, and nobody looks at them. */
export const tellDeleted: EventHandler = async (batch, { companyId, read }) => {
  const gone = batch.map(({ payload }) => about.parse(payload));
  const tickets = await read((ctx) => readTicketViews(ctx, [...new Set(gone.map(({ ticketId }) => ticketId))]));
  const places = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  return gone.flatMap(({ ticketId, noteId }) => {
    const place = places.get(ticketId);
    return place
      ? [
          {
            rooms: conversationRooms(ticketId, place),
            event: wireName(companyId, "ticketNote"),
            payload: { action: "delete", ticketId, noteId } satisfies NotePacket,
          },
        ]
      : [];
  });
};
