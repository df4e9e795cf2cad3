import { isAdmin } from "@prosa/contract";
import type { TicketStatus } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import { seesQueueless } from "../tickets.policy.ts";
import type { TicketAssignment } from "../tickets.policy.ts";

/**
 * Rooms carry the right by which somebody is in them: `ticket:7:queue:3` holds those who look at ticket 7 because
 * queue 3 is theirs. When the ticket moves, other rooms are told, and nobody has to be thrown out of one (N-06).
 */
export type RoomPrefix = `tickets:${TicketStatus}` | `ticket:${number}` | "notification";

/** The rooms of those who may see a ticket that stands there. */
export function viewerRooms(
  kind: RoomPrefix,
  { queueId, userId }: Pick<TicketAssignment, "queueId" | "userId">,
): string[] {
  return [`${kind}:all`, `${kind}:queue:${queueId ?? "none"}`, ...(userId === null ? [] : [`${kind}:user:${userId}`])];
}

/** Every room that holds the ticket when it stands there: its list, its conversation, the bell. */
export function ticketRooms(ticketId: number, place: TicketAssignment): string[] {
  const kinds: RoomPrefix[] = [`tickets:${place.status}`, `ticket:${ticketId}`, "notification"];
  return kinds.flatMap((kind) => viewerRooms(kind, place));
}

/** Those who look at the conversation, wherever the ticket stands. */
export function conversationRooms(ticketId: number, place: Pick<TicketAssignment, "queueId" | "userId">): string[] {
  return viewerRooms(`ticket:${ticketId}`, place);
}

/** The rooms that a person enters, by their rights: what `canSee` says, as names. */
export function roomsToJoin(kind: RoomPrefix, actor: UserActor): string[] {
  if (isAdmin(actor)) {
    return [`${kind}:all`];
  }
  return [
    ...actor.queueIds.map((id) => `${kind}:queue:${id}`),
    ...(seesQueueless(actor) ? [`${kind}:queue:none`] : []),
    `${kind}:user:${actor.userId}`,
  ];
}
