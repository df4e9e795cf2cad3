import type { BodyOf, tickets } from "@prosa/contract";
import { allowAssistants } from "#server/features/queues/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SendCustomerNotice } from "../customer-notice-port.ts";
import { mustAct, mustSee } from "../tickets.policy.ts";
import { lockTicket } from "../tickets.queries.ts";
import type { SavedTicket } from "../tickets.queries.ts";
import { requireUserId, saveTicketChange } from "../tickets.service.ts";
import type { JoinConversation } from "./join-conversation-port.ts";
import { moveTicket } from "./move-ticket.ts";
import type { MoveUnsent } from "./move-unsent-port.ts";
import { parseIntent } from "./parse-intent.ts";
import { tellNewOwner } from "./tell-new-owner.ts";
import type { AddTransferNote } from "./transfer-note-port.ts";
import { transferLockedTicket } from "./transfer-ticket.ts";
import type { RestoreWithdrawn, WithdrawPaused } from "./withdraw-paused-port.ts";

/** What else happens when a user moves a ticket; implemented by features above this one. */
export interface MovePorts {
  readonly sendCustomerNotice: SendCustomerNotice;
  readonly addTransferNote: AddTransferNote;
  readonly moveUnsent: MoveUnsent;
  readonly joinConversation: JoinConversation;
  readonly withdrawPaused: WithdrawPaused;
  readonly restoreWithdrawn: RestoreWithdrawn;
}

/** The bot pauses at most 30 s in one answer (decision 0221). */
const LONGER_THAN_PAUSES_MS = 10 * 60_000;

/** PUT /tickets/{id}: runs the verb behind the body (see `parseIntent`), then sends the customer notice. A transfer may carry a note, and
 * the user who gets the ticket is told. */
export async function updateTicket(
  ctx: Ctx,
  id: number,
  body: BodyOf<typeof tickets.update>,
  ports: MovePorts,
): Promise<SavedTicket> {
  const userId = requireUserId(ctx);
  const ticket = await lockTicket(ctx, id);
  mustSee(ctx.actor, ticket);
  const intent = parseIntent(body, ticket, userId);
  if (body.note !== undefined && intent.verb !== "transfer") {
    throw new AppError("ERR_VALIDATION", { fields: { note: "Only with a transfer" } });
  }
  if (intent.verb === "nothing") {
    return { ticket, view: null };
  }
  if (intent.verb === "automation") {
    mustAct(ctx.actor, ticket);
    await allowAssistants(ctx, intent.change, ticket);
    return saveTicketChange(ctx, ticket, intent.change, "follow");
  }

  const saved =
    intent.verb === "transfer"
      ? await transferLockedTicket(ctx, ticket, intent.target, ports.joinConversation)
      : await moveTicket(ctx, ticket, intent.verb, intent.queueId);
  const after = saved.ticket;
  const { connectionId: from } = ticket;
  const { connectionId: to } = after;
  if (from !== null && to !== null && from !== to) {
    ports.moveUnsent(ctx, { ticketId: id, from, to });
  }
  // In a conversation that a person has, the bot said its last word when they took it.
  const isTaken = after !== ticket && (intent.verb === "transfer" || ticket.status !== "open");
  // Its pauses last seconds: where nothing was said lately, nothing waits, and a click costs no statement for it.
  const isFresh = ctx.now().getTime() - ticket.lastMessageAt.getTime() < LONGER_THAN_PAUSES_MS;
  const isWithdrawn = isTaken && isFresh && (await ports.withdrawPaused(ctx, [id])).size > 0;
  const wasTold =
    after !== ticket && (await ports.sendCustomerNotice(ctx, { verb: intent.verb, before: ticket, after }));
  if (intent.verb === "transfer") {
    const noteId = body.note === undefined ? null : await ports.addTransferNote(ctx, after, body.note);
    tellNewOwner(ctx, [{ before: ticket, after }], noteId);
  }
  // Its last message is another one now.
  return wasTold || isWithdrawn ? { ticket: after, view: null } : saved;
}
