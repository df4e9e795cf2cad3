import type { NextOrder } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import { findDueInvoice, findPaidByCreditSince, sameOrderMs } from "../invoices.queries.ts";
import { findComingInvoice } from "./issue.queries.ts";

/** What an order without an invoice comes to, before it is given; null where it would find nothing to pay. Issues nothing. */
export async function findNextOrder(ctx: Ctx): Promise<NextOrder | null> {
  const row =
    (await findDueInvoice(ctx)) ??
    (await findPaidByCreditSince(ctx, new Date(ctx.now().getTime() - sameOrderMs))) ??
    (await findComingInvoice(ctx));
  if (!row) {
    return null;
  }
  const { detail, value, months, due_date: dueDate, due } = row;
  return { detail, value: Number(value), months, dueDate, due: Number(due) };
}
