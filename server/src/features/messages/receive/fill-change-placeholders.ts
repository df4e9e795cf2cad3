import { lockTickets } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { isSamePerson } from "../authors.ts";
import { findChangeTargets } from "../change/index.ts";
import type { ChatAddresses, ReceivedChange } from "../change/index.ts";
import { messageUpdated } from "../messages.events.ts";
import { fillChangeStub } from "./placeholders.queries.ts";

/** A message that changed another one, by its own id. */
export interface ChangeMessage {
  readonly waId: string;
  readonly fromMe: boolean;
  readonly chat: ChatAddresses;
  /** Who wrote it, in a group. */
  readonly by: PersonRef | null;
  readonly kind: ReceivedChange["kind"];
}

/**
 * What could not be read at first, and then was an edit, a deletion or a reaction, brings no words of its own: its stub
 * says what it was, and is asked for no more (M-15).
 */
export async function fillChangePlaceholders(
  ctx: Ctx,
  connectionId: number,
  made: readonly ChangeMessage[],
): Promise<void> {
  const targets = await findChangeTargets(ctx, connectionId, made);
  const stubs = made.flatMap(({ kind, by, chat }, index) => {
    const stub = targets.get(index);
    const isTheirs = chat.groupId === null || stub?.fromMe === true || isSamePerson(by, stub?.participant ?? null);
    return stub?.isPlaceholder && isTheirs ? [{ ...stub, kind }] : [];
  });
  await lockTickets(ctx, [...new Set(stubs.map(({ ticketId }) => ticketId))]);
  for (const { id, ticketId, kind } of stubs) {
    if (await fillChangeStub(ctx, id, kind)) {
      ctx.emit(messageUpdated(ticketId, id));
    }
  }
}
