import { pageSize } from "@prosa/contract";
import type { ContactErasure } from "@prosa/contract";
import { z } from "zod";
import { findDataSubject } from "#server/features/contacts/index.ts";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, NewJob } from "#server/platform/ctx.ts";
import type { DataSubject } from "#server/platform/personal-data.ts";
import type { Services } from "#server/platform/services.ts";
import { marksOf } from "./erasure-mark.ts";
import { findErasures, findOpenErasure, insertErasure, sealErasure } from "./privacy.queries.ts";
import type { ErasureRow } from "./privacy.queries.ts";

export const ERASE_TASK = "privacy.erase-contact";

const subjectSchema = z.object({
  contactId: z.number().int(),
  numbers: z.array(z.string()),
  lids: z.array(z.string()),
  emails: z.array(z.string()),
});

/**
 * Has a job erase all data of a contact (V-02). `confirmation` must be the contact's number, or its name where it has none:
 * ERR_VALIDATION otherwise. Throws ERR_NO_CONTACT_FOUND. Asked for again while it runs, it stays the one erasure.
 */
export async function requestErasure(
  ctx: Ctx,
  { vault, signer }: Pick<Services, "vault" | "signer">,
  contactId: number,
  confirmation: string,
): Promise<ContactErasure> {
  const found = await findDataSubject(ctx, contactId);
  if (!found) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId });
  }
  const { contact, subject } = found;
  const isConfirmed =
    contact.number === null || contact.isGroup
      ? confirmation === contact.name.trim()
      : digitsOf(confirmation) === contact.number;
  if (!isConfirmed) {
    throw new AppError("ERR_VALIDATION", { fields: { confirmation: "Does not match" } });
  }
  let erasure = await findOpenErasure(ctx, contactId);
  if (!erasure) {
    const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
    const marks = marksOf(signer, ctx.companyId, subject, found.rowKey);
    const id = await insertErasure(ctx, { contactId, userId, marks, requestedAt: ctx.now() });
    await startErasure(ctx, vault, id, subject);
    ctx.enqueue(eraseJob(ctx.companyId, id));
    erasure = await findOpenErasure(ctx, contactId);
  }
  return erasureView(erasure!);
}

/** Notes whom an erasure is of, and that it was asked for: the check of the audit log looks for that where entries were emptied. */
export async function startErasure(
  ctx: Ctx,
  vault: Services["vault"],
  erasureId: number,
  subject: DataSubject,
): Promise<void> {
  await sealErasure(ctx, erasureId, subject.contactId, sealSubject(vault, erasureId, subject));
  await recordAudit(ctx, {
    action: "privacy.erasure-requested",
    target: { type: "contact", id: subject.contactId },
    details: { erasureId },
  });
}

/** The job of an erasure; at most one waits. */
export function eraseJob(companyId: number, erasureId: number): NewJob {
  return {
    task: ERASE_TASK,
    payload: { erasureId },
    lane: `privacy:${companyId}`,
    key: `privacy.erase:${erasureId}`,
    maxAttempts: 50,
    priority: "bulk",
  };
}

/** Erasures of the company, the latest first. */
export async function listErasures(ctx: Ctx, pageNumber: number) {
  const { rows, count } = await findErasures(ctx, pageNumber);
  return { records: rows.map(erasureView), count, hasMore: pageNumber * pageSize.others < count };
}

export function sealSubject(vault: Services["vault"], erasureId: number, subject: DataSubject): Buffer {
  return vault.seal(JSON.stringify(subject), sealContext(erasureId));
}

export function openSubject(vault: Services["vault"], erasureId: number, sealed: Buffer): DataSubject {
  return subjectSchema.parse(JSON.parse(vault.open(sealed, sealContext(erasureId)).toString("utf8")));
}

const sealContext = (id: number) => `erasure:${id}`;

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}

function erasureView(row: ErasureRow): ContactErasure {
  return {
    id: row.id,
    contactId: row.contact_id,
    userName: row.user_name,
    requestedAt: row.requested_at.toISOString(),
    state: row.state,
    erased: row.erased,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
