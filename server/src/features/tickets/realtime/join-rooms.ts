import { ticketStatuses } from "@prosa/contract";
import type { TicketStatus } from "@prosa/contract";
import type { JoinHandler } from "#server/platform/realtime/index.ts";
import { canSee } from "../tickets.policy.ts";
import { findTicket } from "../tickets.queries.ts";
import { roomsToJoin } from "./socket-rooms.ts";
import type { RoomPrefix } from "./socket-rooms.ts";

/** `joinTickets("open")`: the list of one status; without a status, as the search shows it, all three. */
export const joinTickets: JoinHandler = ({ actor }, status = "") => {
  const statuses = status === "" ? ticketStatuses : ticketStatuses.filter((known) => known === status);
  return statuses.flatMap((each: TicketStatus) => roomsToJoin(`tickets:${each}`, actor));
};

/** `joinChatBox(ticketId)`: ignored unless it is a ticket that this person may read (N-06). */
export const joinChatBox: JoinHandler = async (user, argument) => {
  const id = Number(argument);
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647) {
    return null;
  }
  const ticket = await user.read((ctx) => findTicket(ctx, id)).catch(() => undefined);
  const room: RoomPrefix = `ticket:${id}`;
  return ticket && canSee(user.actor, ticket) ? roomsToJoin(room, user.actor) : null;
};

/** `joinNotification`: whatever may ring this person's bell. */
export const joinNotification: JoinHandler = ({ actor }) => roomsToJoin("notification", actor);
