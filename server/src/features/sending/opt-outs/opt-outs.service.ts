import type { OptOut } from "@prosa/contract";
import { contactUpdated } from "#server/features/contacts/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findContactKind, findOptOuts, saveTakenBack } from "./opt-outs.queries.ts";
import { recordOptOut } from "./record-opt-out.ts";

/** The contact's opt-outs, the newest first, and the one that holds. Throws ERR_NO_CONTACT_FOUND. */
export async function readOptOuts(
  ctx: Ctx,
  contactId: number,
): Promise<{ readonly active: OptOut | null; readonly history: OptOut[] }> {
  await loadPerson(ctx, contactId, { allowsGroups: true });
  const rows = await findOptOuts(ctx, contactId);
  const active = rows.find(({ isActive }) => isActive);
  return { active: active ? viewOf(active) : null, history: rows.map(viewOf) };
}

/**
 * A user records that the contact wants no campaigns (P-02); who has opted out already keeps the first record. Throws
 * ERR_NO_CONTACT_FOUND, and ERR_VALIDATION for a group.
 */
export async function setOptOut(ctx: Ctx, contactId: number, note: string): Promise<OptOut> {
  await loadPerson(ctx, contactId);
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const set = { source: "person", word: null, messageId: null, ticketId: null, userId, note, at: ctx.now() } as const;
  await recordOptOut(ctx, { ...set, contactId });
  const { active } = await readOptOuts(ctx, contactId);
  if (!active) {
    // Taken back by somebody else meanwhile.
    throw new AppError("ERR_NOT_FOUND", { contactId });
  }
  return active;
}

/** A user records that the contact wants campaigns again. False where nothing was to be taken back. */
export async function takeOptOutBack(ctx: Ctx, contactId: number): Promise<boolean> {
  await loadPerson(ctx, contactId);
  const wasTaken = await saveTakenBack(ctx, contactId, ctx.actor.kind === "user" ? ctx.actor.userId : null);
  if (wasTaken) {
    ctx.emit(contactUpdated(contactId));
  }
  return wasTaken;
}

async function loadPerson(ctx: Ctx, contactId: number, { allowsGroups = false } = {}): Promise<void> {
  const contact = await findContactKind(ctx, contactId);
  if (!contact) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId });
  }
  if (contact.isGroup && !allowsGroups) {
    throw new AppError("ERR_VALIDATION", { fields: { id: "Another person is wanted" } });
  }
}

function viewOf({ isActive: _, ...row }: Awaited<ReturnType<typeof findOptOuts>>[number]): OptOut {
  return { ...row, at: row.at.toISOString(), takenBackAt: row.takenBackAt?.toISOString() ?? null };
}
