import { wireName } from "@prosa/contract";
import type { WirePayload } from "@prosa/contract";
import { z } from "zod";
import { conversationRooms, readTicketViews } from "#server/features/tickets/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { findNotesById } from "./notes.queries.ts";

const notePayload = z.object({ ticketId: z.number().int(), noteId: z.number().int() });
type NotePacket = WirePayload<"ticketNote">;

/** Publishes new notes to sockets that have the conversation open. */
export const publishNoteCreated: EventHandler = async (batch, { companyId, read }) => {
  const ids = new Set(batch.map(({ payload }) => notePayload.parse(payload).noteId));
  const rows = await read((ctx) => findNotesById(ctx, [...ids]));
  return rows.flatMap(({ note, assignment }) => {
    const { ticketId } = note;
    return ticketId === null || assignment === null
      ? []
      : [
          {
            rooms: conversationRooms(ticketId, assignment),
            event: wireName(companyId, "ticketNote"),
            payload: { action: "create", ticketId, note } satisfies NotePacket,
          },
        ];
  });
};

/** Publishes deleted notes in the same way. A deleted ticket has no open conversation, so its notes are left out. */
export const publishNoteDeleted: EventHandler = async (batch, { companyId, read }) => {
  const deleted = batch.map(({ payload }) => notePayload.parse(payload));
  const tickets = await read((ctx) => readTicketViews(ctx, [...new Set(deleted.map(({ ticketId }) => ticketId))]));
  const ticketById = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  return deleted.flatMap(({ ticketId, noteId }) => {
    const ticket = ticketById.get(ticketId);
    return ticket
      ? [
          {
            rooms: conversationRooms(ticketId, ticket),
            event: wireName(companyId, "ticketNote"),
            payload: { action: "delete", ticketId, noteId } satisfies NotePacket,
          },
        ]
      : [];
  });
};
