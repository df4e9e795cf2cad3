import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { itemsChanged, listChecked, listEvent } from "../contact-lists.events.ts";
import { lockList, saveList } from "../contact-lists.queries.ts";
import type { ListRow } from "../contact-lists.queries.ts";
import { findKnown, findStillUnchecked, findUnchecked, forgetChecks, saveChecked } from "./number-check.queries.ts";
import { settleChecked } from "./settle-checked.ts";
import type { UncheckedItem } from "./settle-checked.ts";
import { matchNumber } from "@prosa/contract";

export const NUMBER_CHECK_TASK = "contact-lists.check-numbers";
/** Attempts of one batch by a line that is connected and does not answer; waiting for a connection is not one. */
export const maxCheckAttempts = 12;
/** For so long a check that gave up rests before it is resumed for a campaign: who gave it no answer is not pressed. */
const restMs = 10 * 60_000;

/**
 * Starts the check of the numbers of a list that were not checked, in the background by a connected line: in batches with a
 * pause between, because many at once look like a robot to WhatsApp. `contactList.checked` is emitted when none is left, at
 * once if that is so now. Throws ERR_NOT_FOUND.
 */
export async function enqueueNumberCheck(ctx: Ctx, contactListId: number): Promise<ListRow> {
  const list = await lockList(ctx, contactListId);
  if (!list) {
    throw new AppError("ERR_NOT_FOUND", { contactListId });
  }
  const isDone = list.contacts_count === list.valid_count + list.invalid_count;
  const isUnderWay = list.check_state === "running" || list.check_state === "waiting";
  const row = await saveList(ctx, contactListId, {
    check_state: isDone ? "idle" : isUnderWay ? list.check_state : "running",
    ...(!isUnderWay && { duplicates_removed: 0 }),
  });
  if (isDone) {
    ctx.emit(listChecked(contactListId));
  } else {
    ctx.enqueue({
      task: NUMBER_CHECK_TASK,
      payload: { contactListId },
      // one at a time for a company: the pause between batches is that of all its lists
      lane: `number-check:${ctx.companyId}`,
      key: `number-check:${contactListId}`,
      maxAttempts: maxCheckAttempts,
      priority: "bulk",
    });
  }
  ctx.emit(listEvent("updated", contactListId));
  return row;
}

/** Starts a check again that gave up, after a rest, for who cannot go on without it. One that is under way goes on by itself. */
export async function resumeNumberCheck(ctx: Ctx, contactListId: number): Promise<void> {
  const list = await lockList(ctx, contactListId);
  const restedSince = new Date(ctx.now().getTime() - restMs);
  if (list?.check_state === "failed" && list.updated_at <= restedSince) {
    await enqueueNumberCheck(ctx, contactListId);
  }
}

/** Checks all numbers of a list again. */
export async function checkAgain(ctx: Ctx, contactListId: number): Promise<ListRow> {
  if (await lockList(ctx, contactListId)) {
    await forgetChecks(ctx, contactListId);
    ctx.emit(itemsChanged(contactListId));
  }
  return enqueueNumberCheck(ctx, contactListId);
}

/** The next batch of a check. Undefined where none is left: then the check has ended, and is told. */
export async function nextBatch(ctx: Ctx, contactListId: number): Promise<readonly UncheckedItem[] | undefined> {
  const list = await lockList(ctx, contactListId);
  const batch = list ? await findUnchecked(ctx, contactListId) : [];
  if (batch.length > 0) {
    return batch;
  }
  if (list) {
    await saveCheckState(ctx, list, "idle");
    ctx.emit(listChecked(contactListId));
  }
  return undefined;
}

/** Saves and tells the state of a check, if it changed. */
export async function setCheckState(ctx: Ctx, contactListId: number, state: ListRow["check_state"]): Promise<void> {
  const list = await lockList(ctx, contactListId);
  if (list) {
    await saveCheckState(ctx, list, state);
  }
}

async function saveCheckState(ctx: Ctx, list: ListRow, state: ListRow["check_state"]): Promise<void> {
  if (list.check_state !== state) {
    await saveList(ctx, list.id, { check_state: state });
    ctx.emit(listEvent("updated", list.id));
  }
}

/** Saves WhatsApp's answers to a batch. Items that were changed or deleted meanwhile are left alone. */
export async function saveAnswers(
  ctx: Ctx,
  contactListId: number,
  asked: readonly UncheckedItem[],
  answers: ReadonlyMap<string, PersonRef>,
): Promise<void> {
  const list = await lockList(ctx, contactListId);
  if (!list) {
    return;
  }
  const batch = await findStillUnchecked(ctx, asked);
  const people = batch.flatMap((item) => answers.get(item.number) ?? []);
  const known = await findKnown(ctx, contactListId, {
    matchNumbers: [...batch.map((item) => item.matchNumber), ...people.flatMap(({ phone }) => matchOf(phone))],
    lids: people.flatMap(({ lid }) => lid ?? []),
  });
  const checked = settleChecked(batch, answers, known);
  await saveChecked(ctx, checked);
  const removed = list.duplicates_removed + checked.duplicates.length;
  await saveList(ctx, contactListId, { check_state: "running", duplicates_removed: removed });
  ctx.emit(itemsChanged(contactListId));
  ctx.emit(listEvent("updated", contactListId));
}

function matchOf(phone: string | null): string[] {
  return phone === null ? [] : [matchNumber(phone)];
}
