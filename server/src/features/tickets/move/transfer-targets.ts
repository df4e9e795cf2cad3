import { isAdmin } from "@prosa/contract";
import type { TransferTarget } from "@prosa/contract";
import { listColleagues } from "#server/features/users/index.ts";
import { requireUser } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { seesQueueless } from "../tickets.policy.ts";
import { countOpenTickets } from "./transfer-targets.queries.ts";

/**
 * Everybody of the company by name, with the number of their open tickets. Only tickets that the actor may see are counted
 * (`canSee`); of a colleague of whom that is none for lack of rights, the number is left out.
 */
export async function listTransferTargets(ctx: Ctx): Promise<TransferTarget[]> {
  const user = requireUser(ctx);
  const isOfAll = isAdmin(user);
  const colleagues = await listColleagues(ctx);
  const counts = await countOpenTickets(ctx, { isOfAll, queueIds: user.queueIds, seesQueueless: seesQueueless(user) });
  return colleagues.map((colleague) => {
    const sharesQueue = colleague.queues.some(({ id }) => user.queueIds.includes(id));
    const isKnown = isOfAll || sharesQueue || colleague.id === user.userId;
    return { ...colleague, openTickets: counts.get(colleague.id) ?? (isKnown ? 0 : null) };
  });
}
