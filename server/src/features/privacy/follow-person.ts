import { findDataSubject } from "#server/features/contacts/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { DataSubject } from "#server/platform/personal-data.ts";
import type { Services } from "#server/platform/services.ts";
import { marksOf } from "./erasure-mark.ts";
import { addMarks, isAnyBeingErased, sealErasure } from "./privacy.queries.ts";
import { sealSubject, startErasure } from "./privacy.service.ts";

/**
 * ERR_CONTACT_BEING_ERASED where one of these contacts is: a person joins or parts only contacts that stay. The erasure looks for
 * what lies at the contact, and would leave what moved to another. Call it after the contacts are locked.
 */
export async function mustNotBeErased(ctx: Ctx, contactIds: readonly number[]): Promise<void> {
  if (await isAnyBeingErased(ctx, contactIds)) {
    throw new AppError("ERR_CONTACT_BEING_ERASED");
  }
}

/**
 * The person with the numbers and LIDs that the contact has by now: they may have been learned since the erasure was asked for, or
 * come with a merge. Kept with the erasure, and marked, so that history which is sent again under them brings nobody back. Another
 * contact than before is noted as asked for as well.
 */
export async function renewSubject(
  ctx: Ctx,
  { vault, signer }: Pick<Services, "vault" | "signer">,
  erasureId: number,
  known: DataSubject,
  contactId: number,
): Promise<DataSubject> {
  const found = await findDataSubject(ctx, contactId);
  const subject = {
    contactId,
    numbers: union(known.numbers, found?.subject.numbers),
    lids: union(known.lids, found?.subject.lids),
    emails: union(known.emails, found?.subject.emails),
  };
  if (found) {
    await addMarks(ctx, erasureId, marksOf(signer, ctx.companyId, found.subject, found.rowKey));
  }
  if (contactId !== known.contactId) {
    await startErasure(ctx, vault, erasureId, subject);
  } else if (found) {
    await sealErasure(ctx, erasureId, contactId, sealSubject(vault, erasureId, subject));
  }
  return subject;
}

function union(known: readonly string[], found: readonly string[] = []): string[] {
  return [...new Set([...known, ...found])];
}
