import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enqueuePublish } from "../campaigns.jobs.ts";
import { endRecipient } from "./dispatch.queries.ts";
import type { Place } from "./write-to-recipients.ts";

/** A contact cannot be written to, for a reason that another attempt would meet again. */
export class RecipientFailure extends Error {
  override readonly name = "RecipientFailure";
  readonly recipientId: number;
  readonly code: AppError["code"];

  constructor(recipientId: number, cause: AppError) {
    super(cause.code, { cause });
    this.recipientId = recipientId;
    this.code = cause.code;
  }
}

/** What failed, if it is a contact: with `places` an error of the contract, where a single one was written to. */
export function failureOf(error: unknown, places: readonly Place[] = []): RecipientFailure | undefined {
  const [place, ...others] = places;
  if (place && others.length === 0 && error instanceof AppError) {
    return new RecipientFailure(place.recipient.id, error);
  }
  return error instanceof RecipientFailure ? error : undefined;
}

/** Ends the contact with its reason, after what it half did was rolled back. */
export async function endFailed(ctx: Ctx, campaignId: number, { recipientId, code }: RecipientFailure): Promise<void> {
  await endRecipient(ctx, recipientId, "failed", code);
  enqueuePublish(ctx, campaignId);
}
