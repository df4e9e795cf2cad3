import type { BodyOf, tickets } from "@prosa/contract";
import { allowAssistants } from "#server/features/queues/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SendCustomerNotice } from "../customer-notice-port.ts";
import { mustAct, mustSee } from "../tickets.policy.ts";
import { lockTicket } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { requireUserId, saveTicketChange } from "../tickets.service.ts";
import { moveTicket } from "./move-ticket.ts";
import { parseIntent } from "./parse-intent.ts";
import { transferLockedTicket } from "./transfer-ticket.ts";

/** PUT /tickets/{id}: runs the verb behind the body (see `parseIntent`), then sends the customer notice. */
export async function updateTicket(
  ctx: Ctx,
  id: number,
  body: BodyOf<typeof tickets.update>,
  sendCustomerNotice: SendCustomerNotice,
): Promise<TicketRow> {
  const userId = requireUserId(ctx);
  const ticket = await lockTicket(ctx, id);
  mustSee(ctx.actor, ticket);
  const intent = parseIntent(body, ticket, userId);
  if (intent.verb === "nothing") {
    return ticket;
  }
  if (intent.verb === "automation") {
    mustAct(ctx.actor, ticket);
    await allowAssistants(ctx, intent.change, ticket);
    return saveTicketChange(ctx, ticket, intent.change, "follow");
  }

  const after =
    intent.verb === "transfer"
      ? await transferLockedTicket(ctx, ticket, intent.target)
      : await moveTicket(ctx, ticket, intent.verb, intent.queueId);
  if (after !== ticket) {
    await sendCustomerNotice(ctx, { verb: intent.verb, before: ticket, after });
  }
  return after;
}
