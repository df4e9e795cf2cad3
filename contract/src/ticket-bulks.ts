import { z } from "zod";
import { maxBulkSize, id } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { errorStatus } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { ticket } from "./tickets.ts";

/** Time in which a bulk action can be undone; customer notices wait as long (decision 0083). */
export const bulkUndoMs = 10_000;

/** Action on every selected ticket. */
export const bulkAct = z.discriminatedUnion("verb", [
  z.object({ verb: z.literal("accept") }),
  z.object({ verb: z.literal("resolve") }),
  /** Transfer to a user, or to a queue as pending (specification 1 section 4). */
  z.object({ verb: z.literal("transfer"), queueId: id, userId: id.nullable().default(null) }),
  /** Adds tags; existing ones stay. */
  z.object({ verb: z.literal("tag"), tagIds: z.array(id).min(1).max(50) }),
]);
export type BulkAct = z.output<typeof bulkAct>;

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** Result for one ticket: `unchanged` when nothing had to change, `refused` with an error code. */
export const bulkOutcome = z.discriminatedUnion("outcome", [
  z.object({ ticketId: z.number().int(), outcome: z.enum(["done", "unchanged"]) }),
  z.object({ ticketId: z.number().int(), outcome: z.literal("refused"), code: z.enum(errorCodes) }),
]);
export type BulkOutcome = z.output<typeof bulkOutcome>;

export const ticketBulks = {
  act: endpoint({
    method: "POST",
    path: "/tickets/bulk",
    summary: "Accept, resolve, transfer or tag many tickets; each by the rights of the single call",
    access: { who: "session" },
    body: z.object({ ticketIds: z.array(id).min(1).max(maxBulkSize), act: bulkAct }),
    response: z.object({
      /** Id for undo; null when nothing changed. */
      bulkId: z.uuid().nullable(),
      outcomes: z.array(bulkOutcome),
      /** The changed tickets. */
      tickets: z.array(ticket),
    }),
  }),
  undo: endpoint({
    method: "POST",
    path: "/tickets/bulk/:bulkId/undo",
    summary: "Undo a bulk action within 10 s; tickets changed since are refused",
    access: { who: "session" },
    params: z.object({ bulkId: z.uuid() }),
    response: z.object({ outcomes: z.array(bulkOutcome), tickets: z.array(ticket) }),
  }),
} as const;
