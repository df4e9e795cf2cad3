import { z } from "zod";
import type { DomainEvent } from "#server/platform/ctx.ts";

export function invoiceEvent(what: "created" | "updated", invoiceId: number): DomainEvent {
  return { type: `invoice.${what}`, payload: { invoiceId } };
}

export const paymentConcludedSchema = z.object({ name: z.string(), dueDate: z.string().nullable() });

/** An invoice was paid: the company's new due date. */
export function paymentConcluded(company: z.output<typeof paymentConcludedSchema>): DomainEvent {
  return { type: "payment.concluded", payload: company };
}
