import { z } from "zod";
import { maxBulkSize, id } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { errorStatus } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { ticket } from "./tickets.ts";

/** So long it can be taken back, and what contacts are told of it waits as long (decision 0083). */
export const bulkUndoMs = 10_000;

/** What is done to every chosen ticket. */
export const bulkAct = z.discriminatedUnion("verb", [
  z.object({ verb: z.literal("accept") }),
  z.object({ verb: z.literal("resolve") }),
  /** To a person, or to a queue where it waits (specification 1 section 4). */
  z.object({ verb: z.literal("transfer"), queueId: id, userId: id.nullable().default(null) }),
  /** Puts tags on; what a ticket has already stays. */
  z.object({ verb: z.literal("tag"), tagIds: z.array(id).min(1).max(50) }),
]);
export type BulkAct = z.output<typeof bulkAct>;

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** What became of one ticket: `unchanged` was so already, `refused` says why by its code. */
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
      /** To take it back by; null where nothing changed. */
      bulkId: z.uuid().nullable(),
      outcomes: z.array(bulkOutcome),
      /** Those that changed, as they are now. */
      tickets: z.array(ticket),
    }),
  }),
  undo: endpoint({
    method: "POST",
    path: "/tickets/bulk/:bulkId/undo",
    summary: "Take it back, within seconds, on tickets that nobody touched since",
    access: { who: "session" },
    params: z.object({ bulkId: z.uuid() }),
    response: z.object({ outcomes: z.array(bulkOutcome), tickets: z.array(ticket) }),
  }),
} as const;
