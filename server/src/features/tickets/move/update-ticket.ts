import type { BodyOf, tickets } from "@prosa/contract";
import { allowAssistants } from "#server/features/queues/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SendCustomerNotice } from "../tickets.customer-notice.ts";
import { mustAct, mustSee } from "../tickets.policy.ts";
import { lockTicket } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { requireUserId, save } from "../tickets.service.ts";
import { move } from "./move-ticket.ts";
import { parseIntent } from "./parse-intent.ts";
import { transfer } from "./transfer-ticket.ts";

/** The verbs of PUT /tickets/{id}, told apart by what the body changes; then the contact is told, as is polite. */
export async function updateTicket(
  ctx: Ctx,
  id: number,
  body: BodyOf<typeof tickets.update>,
  courtesy: SendCustomerNotice,
): Promise<TicketRow> {
  const userId = requireUserId(ctx);
  const ticket = await lockTicket(ctx, id);
  mustSee(ctx.actor, ticket);
  const wish = parseIntent(body, ticket, userId);
  if (wish.verb === "nothing") {
    return ticket;
  }
  if (wish.verb === "automation") {
    mustAct(ctx.actor, ticket);
    await allowAssistants(ctx, wish.change, ticket);
    return save(ctx, ticket, wish.change, "follow");
  }

  const after =
    wish.verb === "transfer"
      ? await transfer(ctx, ticket, wish.target)
      : await move(ctx, ticket, wish.verb, wish.queueId);
  if (after !== ticket) {
    await courtesy(ctx, { verb: wish.verb, before: ticket, after });
  }
  return after;
}
