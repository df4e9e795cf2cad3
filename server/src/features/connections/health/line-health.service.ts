import { wallClockOf } from "@prosa/contract";
import type { LineHealth, SendFailure } from "@prosa/contract";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { LineLimit } from "#server/whatsapp/port.ts";
import { connectionEvent } from "../connections.events.ts";
import { loadConnection } from "../connections.service.ts";
import { addStartsToDay, addToDay, findDays, findSignals, insertSignals } from "./line-days.queries.ts";
import type { LineCount } from "./line-days.queries.ts";
import { limitEndJob } from "./limit-end-job.ts";
import { limitAfter, nextEnd, signalsOf, unlimited, withoutEnded } from "../line-limit.ts";
import type { LineLimitState, LineSignal } from "../line-limit.ts";
import { lockLineLimit, saveLineLimit } from "./line-limits.queries.ts";

const SHOWN_DAYS = 30;

/** Writes and publishes a limit that the owner of the line reports. The same one again changes nothing. */
export async function changeLimit(ctx: Ctx, connectionId: number, limit: LineLimit): Promise<void> {
  const before = await lockLineLimit(ctx, connectionId);
  await applyLimit(ctx, connectionId, before, limitAfter(before, limit, ctx.now()));
}

/** Takes away what has ended: nothing waits for a word of the provider (behaviour of WhatsApp's own clients). */
export async function endLimits(ctx: Ctx, connectionId: number): Promise<void> {
  const before = await lockLineLimit(ctx, connectionId);
  const after = withoutEnded(before, ctx.now());
  await applyLimit(ctx, connectionId, before, after);
  enqueueNextEnd(ctx, connectionId, after);
}

/** Another number has other limits: they are announced when it connects. */
export async function forgetLimits(ctx: Ctx, connectionId: number): Promise<void> {
  const before = await lockLineLimit(ctx, connectionId);
  await applyLimit(ctx, connectionId, before, unlimited);
}

async function applyLimit(ctx: Ctx, connectionId: number, before: LineLimitState, after: LineLimitState) {
  if (isSame(before, after)) {
    return;
  }
  await saveLineLimit(ctx, connectionId, after);
  await insertSignals(ctx, connectionId, signalsOf(before, after, ctx.now()));
  ctx.emit(connectionEvent("limitChanged", connectionId));
  enqueueNextEnd(ctx, connectionId, after);
}

function enqueueNextEnd(ctx: Ctx, connectionId: number, limit: LineLimitState): void {
  const end = nextEnd(limit);
  if (end) {
    ctx.enqueue(limitEndJob(connectionId, end));
  }
}

function isSame(a: LineLimitState, b: LineLimitState): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Counts a conversation that the line starts. Returns how many it has started on this day of the company's time zone. Not
 * for answers to people who wrote.
 */
export async function countStart(ctx: Ctx, connectionId: number): Promise<number> {
  return count(ctx, connectionId, "started", 1);
}

/** Counts conversations that lines start, by line: how many each. One statement. */
export async function countStarts(ctx: Ctx, starts: ReadonlyMap<number, number>): Promise<void> {
  if (starts.size > 0) {
    await addStartsToDay(ctx, await today(ctx), starts);
  }
}

/** Reasons with which the provider refuses a message for good. */
const refusals: ReadonlySet<SendFailure> = new Set(["limited", "refused", "tooMany", "notAllowed"]);

const saysNothing: ReadonlySet<SendFailure> = new Set(["connectionDeleted", "file", "voice", "optedOut"]);

/** Counts messages of the line that were given up, in the transaction that marks them as failed. */
export async function countFailures(ctx: Ctx, connectionId: number, reason: SendFailure, by: number): Promise<void> {
  // Deleted lines have no health; a file that cannot be read, or a contact that opted out, says nothing about the line.
  if (by === 0 || saysNothing.has(reason)) {
    return;
  }
  const isRefusal = refusals.has(reason);
  await count(ctx, connectionId, isRefusal ? "refused" : "failed", by);
  await addSignals(ctx, connectionId, [{ kind: isRefusal ? "refused" : "failedSend", detail: reason, at: ctx.now() }]);
}

/** Counts disconnections that nobody asked for, in the transaction that writes the line's state. */
export async function countDisconnects(ctx: Ctx, connectionId: number, signals: readonly LineSignal[]): Promise<void> {
  if (signals.length > 0) {
    await count(ctx, connectionId, "disconnected", signals.length);
    await addSignals(ctx, connectionId, signals);
  }
}

async function addSignals(ctx: Ctx, connectionId: number, signals: readonly LineSignal[]): Promise<void> {
  await insertSignals(ctx, connectionId, signals);
  ctx.emit(connectionEvent("signalled", connectionId));
}

/** The last 30 days with their sums, and the last signals. Throws ERR_NO_WAPP_FOUND. */
export async function readLineHealth(ctx: Ctx, connectionId: number): Promise<LineHealth> {
  await loadConnection(ctx, connectionId);
  const days = await findDays(ctx, connectionId, { last: await today(ctx), days: SHOWN_DAYS });
  const signals = await findSignals(ctx, connectionId);
  return {
    days,
    signals: signals.map(({ at, ...signal }) => ({ ...signal, at: at.toISOString() })),
  };
}

async function count(ctx: Ctx, connectionId: number, what: LineCount, by: number): Promise<number> {
  return addToDay(ctx, connectionId, { day: await today(ctx), count: what, by });
}

async function today(ctx: Ctx): Promise<string> {
  const { timeZone } = await companyLocaleOf(ctx);
  return wallClockOf(ctx.now(), timeZone).slice(0, 10);
}
