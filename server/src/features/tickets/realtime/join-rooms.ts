import { ticketStatuses } from "@prosa/contract";
import type { TicketStatus } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { JoinHandler } from "#server/platform/realtime/index.ts";
import { canSee } from "../tickets.policy.ts";
import { findTicket } from "../tickets.queries.ts";
import { roomsToJoin } from "./socket-rooms.ts";
import type { RoomPrefix } from "./socket-rooms.ts";

/** `joinTickets("open")`: the list of one status; without a status all three, for the search. */
export const joinTickets: JoinHandler = ({ actor }, status = "") => {
  const statuses = status === "" ? ticketStatuses : ticketStatuses.filter((known) => known === status);
  return statuses.flatMap((each: TicketStatus) => roomsToJoin(`tickets:${each}`, actor));
};

/** `joinChatBox(ticketId)`: ignored unless the user may see the ticket (N-06). */
export const joinChatBox: JoinHandler = async (user, argument) => {
  const id = Number(argument);
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647) {
    return null;
  }
  const ticket = await user.read((ctx) => findTicket(ctx, id)).catch(noTicket);
  const prefix: RoomPrefix = `ticket:${id}`;
  return ticket && canSee(user.actor, ticket) ? roomsToJoin(prefix, user.actor) : null;
};

/** An unknown ticket is ignored; a failed query is not taken for one, because the socket would leave what it had joined. */
function noTicket(error: unknown): undefined {
  if (!(error instanceof AppError)) {
    throw error;
  }
}

/** `joinNotification`: the notification bell of the user. */
export const joinNotification: JoinHandler = ({ actor }) => roomsToJoin("notification", actor);
