import { endOfDay, nextOpening, sendingDefaults, wallClockOf } from "@prosa/contract";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { countStarts, limitAt } from "#server/features/connections/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { ageDaysOf, limitAtAge } from "../warm-up/index.ts";
import { createPaces, findLines, readContactFacts, saveNextSlots } from "./admission.queries.ts";
import type { FoundContact } from "./admission.queries.ts";
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

/**
 * `hold`: ask again at `until`, or when the line's limit has changed (`connection.limitChanged`). `gapMs`, of `pace`: what the line leaves
 * between two, so that of several that wait each asks again when its turn comes.
 */
export type Admission =
  | { readonly kind: "go" }
  | (Extract<Decision, { readonly kind: "hold" }> & { readonly gapMs?: number })
  | Extract<Decision, { readonly kind: "refuse" }>;

/**
 * The sending gate (P-01): asks whether a message may be sent now. Call it in the transaction that stores the message, after
 * the ticket is locked, or the contact where there is no ticket yet: an opt-out that is committed before that lock is seen.
 * `go` of a campaign, a schedule or the API counts the conversation that it starts and takes the line's next slot, so the
 * message must be stored in the same transaction; what a person or the bot starts counts when it is sent. The line's pace stays
 * locked until the transaction ends. Throws ERR_NO_CONTACT_FOUND and ERR_NO_WAPP_FOUND.
 */
export async function admit(ctx: Ctx, { purpose, ...chat }: AdmissionRequest): Promise<Admission> {
  const [admission] = await admitAll(ctx, [chat], purpose);
  return admission!;
}

/** The same for several chats, in their order: a line that two of them ask for has its gap between them, so the later one waits. */
export async function admitAll(
  ctx: Ctx,
  chats: readonly Omit<AdmissionRequest, "purpose">[],
  purpose: Purpose,
): Promise<readonly Admission[]> {
  const found = await readContactFacts(ctx, chats, isBulk(purpose));
  const asked = chats.map((chat, at) => {
    const contact = found[at];
    if (!contact) {
      throw new AppError("ERR_NO_CONTACT_FOUND", { contactId: chat.contactId });
    }
    return { ...chat, contact, settled: decideByContact(contact, purpose) };
  });
  const open = asked.filter(({ settled }) => settled === null);
  const lineIds = [...new Set(open.map(({ connectionId }) => connectionId))].toSorted((a, b) => a - b);
  const slots = isBulk(purpose) ? await lockSlots(ctx, lineIds, open) : new Map<number, Date>();
  const lines = await readLines(ctx, lineIds);
  const now = ctx.now();
  const taken = new Map<number, Date>();
  const started = new Map<number, number>();
  const decisions = asked.map(({ connectionId, contact, settled }) => {
    if (settled) {
      return settled;
    }
    const { minGapSeconds, ...line } = lineOf(lines, connectionId);
    const nextSlotAt = taken.get(connectionId) ?? slots.get(connectionId) ?? null;
    const startedToday = line.startedToday + (started.get(connectionId) ?? 0);
    const decision = decideByLine(contact, { ...line, nextSlotAt, startedToday }, purpose, now);
    if (decision.kind === "go" && decision.takesSlot) {
      taken.set(connectionId, new Date(now.getTime() + gapMs(minGapSeconds, Math.random())));
    }
    if (decision.kind === "go" && decision.counts) {
      started.set(connectionId, (started.get(connectionId) ?? 0) + 1);
    }
    const isPaced = decision.kind === "hold" && decision.reason === "pace";
    return isPaced ? { ...decision, gapMs: gapMs(minGapSeconds, 0.5) } : decision;
  });
  // In one round trip.
  await Promise.all([saveNextSlots(ctx, taken), countStarts(ctx, started)]);
  return decisions.map(withoutDetails);
}

function withoutDetails(decision: Decision): Admission {
  return decision.kind === "go" ? { kind: "go" } : decision;
}

/** The next slots of these lines, locked. */
async function lockSlots(
  ctx: Ctx,
  lineIds: readonly number[],
  asked: readonly { readonly connectionId: number; readonly contact: FoundContact }[],
): Promise<ReadonlyMap<number, Date>> {
  const found = asked.flatMap(({ connectionId, contact: { nextSlotAt } }) =>
    nextSlotAt ? ([[connectionId, nextSlotAt]] as const) : [],
  );
  const slots = new Map<number, Date>(found);
  const missing = lineIds.filter((id) => !slots.has(id));
  return new Map([...slots, ...(await createPaces(ctx, missing))]);
}

type LineRules = Omit<LineFacts, "nextSlotAt"> & { readonly minGapSeconds: number };

function lineOf(lines: ReadonlyMap<number, LineRules>, connectionId: number): LineRules {
  const line = lines.get(connectionId);
  if (!line) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  return line;
}

async function readLines(ctx: Ctx, connectionIds: readonly number[]): Promise<ReadonlyMap<number, LineRules>> {
  const { timeZone } = await companyLocaleOf(ctx);
  const now = ctx.now();
  const found = await findLines(ctx, connectionIds, wallClockOf(now, timeZone).slice(0, 10));
  const dayEndsAt = endOfDay(now, timeZone);
  return new Map(
    found.map((rules) => [
      rules.connectionId,
      {
        limit: limitAt(rules, now),
        startedToday: rules.startedToday,
        dayEndsAt,
        dailyCap: rules.dailyCap,
        warmUpLimit: rules.warmUp ? limitAtAge(rules.plan, ageDaysOf(rules.linkedAt, now)) : null,
        opensAt: nextOpening(rules.hours ?? sendingDefaults.hours, now, timeZone),
        minGapSeconds: rules.minGapSeconds ?? sendingDefaults.minGapSeconds,
      },
    ]),
  );
}
