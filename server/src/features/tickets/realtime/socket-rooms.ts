import { isAdmin } from "@prosa/contract";
import type { TicketStatus } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import { seesQueueless } from "../tickets.policy.ts";
import type { TicketAssignment } from "../tickets.policy.ts";

/**
 * Socket rooms: which sockets receive the events of a ticket. The name of a room contains the permission by which a socket is in it:
 * `ticket:7:queue:3` has those who show ticket 7 because they belong to queue 3. When the ticket moves, other rooms get
 * the packet, and no socket has to leave a room (N-06).
 */
export type RoomPrefix = `tickets:${TicketStatus}` | `ticket:${number}` | "notification";

/** Rooms with this prefix whose members may see a ticket of this queue and owner. */
export function viewerRooms(
  prefix: RoomPrefix,
  { queueId, userId }: Pick<TicketAssignment, "queueId" | "userId">,
): string[] {
  return [
    `${prefix}:all`,
    `${prefix}:queue:${queueId ?? "none"}`,
    ...(userId === null ? [] : [`${prefix}:user:${userId}`]),
  ];
}

/** Every room that receives events of a ticket with this assignment: its list, its conversation, the notification bell. */
export function ticketRooms(ticketId: number, assignment: TicketAssignment): string[] {
  const prefixes: RoomPrefix[] = [`tickets:${assignment.status}`, `ticket:${ticketId}`, "notification"];
  return prefixes.flatMap((prefix) => viewerRooms(prefix, assignment));
}

/** Rooms of the sockets that have the conversation open. */
export function conversationRooms(
  ticketId: number,
  assignment: Pick<TicketAssignment, "queueId" | "userId">,
): string[] {
  return viewerRooms(`ticket:${ticketId}`, assignment);
}

/** Rooms with this prefix that a user's sockets join, by the rights of `canSee`. */
export function roomsToJoin(prefix: RoomPrefix, actor: UserActor): string[] {
  if (isAdmin(actor)) {
    return [`${prefix}:all`];
  }
  return [
    ...actor.queueIds.map((id) => `${prefix}:queue:${id}`),
    ...(seesQueueless(actor) ? [`${prefix}:queue:none`] : []),
    `${prefix}:user:${actor.userId}`,
  ];
}
