import { lockTickets } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { isSamePerson } from "../authors.ts";
import { findChangeTargets } from "../change/index.ts";
import type { ChatAddresses, ReceivedChange } from "../change/index.ts";
import { messageUpdated } from "../messages.events.ts";
import { fillChangePlaceholder } from "./placeholders.queries.ts";

/** The message that carried a change of another message, under its own id. */
export interface ChangeMessage {
  readonly waId: string;
  readonly fromMe: boolean;
  readonly chat: ChatAddresses;
  /** The author, in a group. */
  readonly by: PersonRef | null;
  readonly kind: ReceivedChange["kind"];
}

/**
 * Fills the placeholders of messages that turned out to carry an edit, a deletion or a reaction. Such a message has no text of
 * its own: the placeholder then says what it was, and is not requested again (M-15).
 */
export async function fillChangePlaceholders(
  ctx: Ctx,
  connectionId: number,
  changes: readonly ChangeMessage[],
): Promise<void> {
  const targets = await findChangeTargets(ctx, connectionId, changes);
  const placeholders = changes.flatMap(({ kind, by, chat }, index) => {
    const target = targets.get(index);
    const isByAuthor =
      chat.groupId === null || target?.fromMe === true || isSamePerson(by, target?.participant ?? null);
    return target?.isPlaceholder && isByAuthor ? [{ ...target, kind }] : [];
  });
  await lockTickets(ctx, [...new Set(placeholders.map(({ ticketId }) => ticketId))]);
  for (const { id, ticketId, kind } of placeholders) {
    if (await fillChangePlaceholder(ctx, id, kind)) {
      ctx.emit(messageUpdated(ticketId, id));
    }
  }
}
