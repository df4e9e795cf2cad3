import { wireName } from "@prosa/contract";
import type { Message, Ticket, WirePayload } from "@prosa/contract";
import {
  conversationRooms,
  readViewsToPublish,
  ticketRooms,
  signViewMediaUrls,
} from "#server/features/tickets/index.ts";
import type { RecordedEvent } from "#server/platform/events/index.ts";
import type { Emission, EventHandler, EventTools } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { readMessageViews } from "./messages.view.queries.ts";
import { findTicketAssignments } from "./messages.queries.ts";

/** Publishes new messages to all sockets that may see their ticket: ticket lists, open conversation, notifications (T-22). */
export function publishMessagesCreated(media: MediaLinks): EventHandler {
  return async (batch, tools) => {
    const created = await readWithTickets(batch, tools, media);
    return created.map(({ message, ticket }) => ({
      rooms: ticketRooms(ticket.id, ticket),
      event: wireName(tools.companyId, "appMessage"),
      payload: {
        action: "create",
        message,
        ticket,
        contact: ticket.contact,
      } satisfies WirePayload<"appMessage">,
    }));
  };
}

/** Publishes changed messages to sockets with the conversation open only: lists show no acks, edits or files. */
export function publishMessagesUpdated(media: MediaLinks): EventHandler {
  return async (batch, { companyId, read }): Promise<Emission[]> => {
    const { messageIds, ticketIds } = idsOf(batch);
    const [messages, assignments] = await read((ctx) =>
      Promise.all([readMessageViews(ctx, messageIds), findTicketAssignments(ctx, ticketIds)]),
    );
    const assignmentById = new Map(assignments.map((assignment) => [assignment.id, assignment]));
    return messages.flatMap((message) => {
      const assignment = assignmentById.get(message.ticketId);
      return assignment
        ? {
            rooms: conversationRooms(assignment.id, assignment),
            event: wireName(companyId, "appMessage"),
            payload: {
              action: "update",
              message: signViewMediaUrls(media, companyId, message),
            } satisfies WirePayload<"appMessage">,
          }
        : [];
    });
  };
}

/** Reads the messages of a batch with their tickets, as they are now. Leaves out those deleted since the event. */
async function readWithTickets(
  batch: readonly RecordedEvent[],
  { companyId, read }: EventTools,
  media: MediaLinks,
): Promise<{ readonly message: Message; readonly ticket: Ticket }[]> {
  const { messageIds, ticketIds } = idsOf(batch);
  const [messages, tickets] = await read((ctx) =>
    Promise.all([readMessageViews(ctx, messageIds), readViewsToPublish(ctx, ticketIds)]),
  );
  const ticketById = new Map(tickets.map((ticket) => [ticket.id, signViewMediaUrls(media, companyId, ticket)]));
  return messages.flatMap((message) => {
    const ticket = ticketById.get(message.ticketId);
    return ticket ? [{ message: signViewMediaUrls(media, companyId, message), ticket }] : [];
  });
}

function idsOf(batch: readonly RecordedEvent[]) {
  const payloads = batch.map(
    ({ payload }) => payload as unknown as { readonly ticketId: number; readonly messageId: number },
  );
  return {
    messageIds: [...new Set(payloads.map(({ messageId }) => messageId))],
    ticketIds: [...new Set(payloads.map(({ ticketId }) => ticketId))],
  };
}
