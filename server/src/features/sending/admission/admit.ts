import { sendingDefaults, wallClockOf } from "@prosa/contract";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { countStart, limitAt } from "#server/features/connections/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { endOfDay, nextOpening } from "../rules/index.ts";
import { ageDaysOf, limitAtAge } from "../warm-up/index.ts";
import { createPace, findLine, readContactFacts, saveNextSlot } from "./admission.queries.ts";
import { decideByContact, decideByLine, isBulk } from "./decide.ts";
import type { Decision, LineFacts, Purpose } from "./decide.ts";
import { gapMs } from "./gap.ts";

export interface AdmissionRequest {
  readonly connectionId: number;
  readonly contactId: number;
  /** The contact's ticket on the connection; null: there may be none yet. */
  readonly ticketId: number | null;
  readonly purpose: Purpose;
}

/** `hold`: ask again at `until`, or when the line's limit has changed (`connection.limitChanged`). */
export type Admission =
  | { readonly kind: "go" }
  | Extract<Decision, { readonly kind: "hold" }>
  | Extract<Decision, { readonly kind: "refuse" }>;

/**
 * The sending gate (P-01): asks whether a message may be sent now. Call it in the transaction that stores the message, after
 * the ticket is locked, or the contact where there is no ticket yet: an opt-out that is committed before that lock is seen.
 * `go` of a campaign, a schedule or the API counts the conversation that it starts and takes the line's next slot, so the
 * message must be stored in the same transaction; what a person or the bot starts counts when it is sent. The line's pace stays
 * locked until the transaction ends. Throws ERR_NO_CONTACT_FOUND and ERR_NO_WAPP_FOUND.
 */
export async function admit(ctx: Ctx, request: AdmissionRequest): Promise<Admission> {
  const { connectionId, contactId, purpose } = request;
  const contact = await readContactFacts(ctx, request, isBulk(purpose));
  if (!contact) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId });
  }
  const settled = decideByContact(contact, purpose);
  if (settled) {
    return withoutDetails(settled);
  }
  const nextSlotAt = isBulk(purpose) ? (contact.nextSlotAt ?? (await createPace(ctx, connectionId))) : null;
  const { minGapSeconds, ...line } = await readLine(ctx, connectionId);
  const now = ctx.now();
  const decision = decideByLine(contact, { ...line, nextSlotAt }, purpose, now);
  if (decision.kind === "go") {
    const nextSlot = new Date(now.getTime() + gapMs(minGapSeconds, Math.random()));
    // In one round trip.
    await Promise.all([
      decision.takesSlot && saveNextSlot(ctx, connectionId, nextSlot),
      decision.counts && countStart(ctx, connectionId),
    ]);
  }
  return withoutDetails(decision);
}

function withoutDetails(decision: Decision): Admission {
  return decision.kind === "go" ? { kind: "go" } : decision;
}

async function readLine(
  ctx: Ctx,
  connectionId: number,
): Promise<Omit<LineFacts, "nextSlotAt"> & { readonly minGapSeconds: number }> {
  const { timeZone } = await companyLocaleOf(ctx);
  const now = ctx.now();
  const rules = await findLine(ctx, connectionId, wallClockOf(now, timeZone).slice(0, 10));
  if (!rules) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  return {
    limit: limitAt(rules, now),
    startedToday: rules.startedToday,
    dayEndsAt: endOfDay(now, timeZone),
    dailyCap: rules.dailyCap,
    warmUpLimit: rules.warmUp ? limitAtAge(rules.plan, ageDaysOf(rules.linkedAt, now)) : null,
    opensAt: nextOpening(rules.hours ?? sendingDefaults.hours, now, timeZone),
    minGapSeconds: rules.minGapSeconds ?? sendingDefaults.minGapSeconds,
  };
}
