import type { QueueOptionBody } from "@prosa/contract";
import { fileListEvents, requireFileList } from "#server/features/files/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import {
  renumber,
  childrenOf,
  nextFreeNumber,
  isBotCommand,
  isNumberedInOrder,
  isAnswerFree,
  isWithin,
  moveTo,
  subtreeOf,
  treeOf,
} from "./option-tree.ts";
import type { TreeNode } from "./option-tree.ts";
import {
  saveLevel,
  deleteOption,
  findOption,
  findOptions,
  findOptionsOf,
  insertOption,
  lockTree,
  saveOption,
} from "./queue-options.queries.ts";
import type { QueueOptionFields, QueueOptionRow } from "./queue-options.queries.ts";
import { queueEvents, queueUpdated } from "./queues.events.ts";
import { getQueue } from "./queues.service.ts";

type Answer = Pick<QueueOptionRow, "id" | "option">;

/** An option and all options of its queue: its view counts its children. */
export interface OptionInTree {
  readonly row: QueueOptionRow;
  readonly all: readonly QueueOptionRow[];
}

const cachedTrees: Cached<ReadonlyMap<number, readonly TreeNode<QueueOptionRow>[]>> = {
  name: "queue options",
  // a deleted list is taken off the options that refer to it
  staleAfter: [...queueEvents, ...fileListEvents],
  load: async (ctx) => {
    const byQueue = Map.groupBy(await findOptions(ctx), ({ queue_id: queueId }) => queueId);
    return new Map([...byQueue].map(([queueId, options]) => [queueId, treeOf(options)]));
  },
};

/** The option trees of the company's queues, by queue. Cached, so that the bot can read them for every message. */
export function optionTreesOf(ctx: Ctx): Promise<ReadonlyMap<number, readonly TreeNode<QueueOptionRow>[]>> {
  return ctx.cached(cachedTrees);
}

/** Every option of one queue, in the order of positions. Throws ERR_NO_QUEUE_FOUND. */
export async function listOptions(ctx: Ctx, queueId: number): Promise<QueueOptionRow[]> {
  await getQueue(ctx, queueId);
  return findOptionsOf(ctx, queueId);
}

/**
 * Adds an option at any depth. Throws ERR_VALIDATION for a parent of another queue, or an answer that is taken, and
 * ERR_NOT_FOUND for a file list that is not the company's.
 */
export async function createOption(ctx: Ctx, body: QueueOptionBody): Promise<OptionInTree> {
  await getQueue(ctx, body.queueId);
  await requireFileList(ctx, body.fileListId);
  const all = await lockedTree(ctx, body.queueId);
  checkParent(all, body.parentId);
  const level = childrenOf(all, body.parentId);

  const option = checkedAnswer(body.option, level);
  const id = await insertOption(ctx, {
    queue_id: body.queueId,
    parent_id: body.parentId,
    title: body.title,
    message: body.message,
    option,
    position: level.length,
    media_path: null,
    media_name: null,
    media_type: null,
    media_size: null,
    file_list_id: body.fileListId,
  });
  await renumberLevel(ctx, {
    level: moveTo([...level, { id, option }], id, body.position),
    wasNumbered: isNumberedInOrder(level),
    keepsAnswers: body.option !== "",
  });
  ctx.emit(queueUpdated(body.queueId));

  return inTree(ctx, id);
}

/** Changes an option and moves it to parentId and position. Throws ERR_VALIDATION for a move below itself or to another queue. */
export async function updateOption(ctx: Ctx, id: number, body: Partial<QueueOptionBody>): Promise<OptionInTree> {
  const { queue_id: queueId } = await getOption(ctx, id);
  await requireFileList(ctx, body.fileListId);
  const all = await lockedTree(ctx, queueId);
  const before = all.find((option) => option.id === id);
  if (!before) {
    throw notFound(id);
  }
  const parentId = body.parentId === undefined ? before.parent_id : body.parentId;
  if (body.queueId !== undefined && body.queueId !== queueId) {
    throw invalid("queueId", "An option stays in its queue");
  }
  checkParent(all, parentId);
  if (parentId !== null && isWithin(all, parentId, id)) {
    throw invalid("parentId", "An option cannot be below itself");
  }

  const [from, to] = [childrenOf(all, before.parent_id), childrenOf(all, parentId)];
  const siblings = to.filter((option) => option.id !== id);
  const isMoved = parentId !== before.parent_id;
  const option = isMoved
    ? answerAfterMove(body.option, before.option, siblings)
    : checkedAnswer(body.option ?? before.option, siblings);
  await saveOption(ctx, id, { ...columnsOf(body), parent_id: parentId, option });
  if (isMoved || body.position !== undefined) {
    await renumberLevel(ctx, {
      level: moveTo([...siblings, { id, option }], id, body.position),
      wasNumbered: isNumberedInOrder(to),
      keepsAnswers: body.option !== undefined && body.option !== "",
    });
  }
  if (isMoved) {
    await renumberLevel(ctx, { level: from.filter((each) => each.id !== id), wasNumbered: isNumberedInOrder(from) });
  }
  ctx.emit(queueUpdated(queueId));

  return inTree(ctx, id);
}

/** Deletes an option with all below it; returns the keys of their files, to be deleted after the commit. */
export async function removeOption(ctx: Ctx, id: number): Promise<string[]> {
  const { queue_id: queueId } = await getOption(ctx, id);
  const all = await lockedTree(ctx, queueId);
  const gone = subtreeOf(all, id);
  const [option] = gone.filter((each) => each.id === id);
  if (!option) {
    throw notFound(id);
  }
  await deleteOption(ctx, id);
  const level = childrenOf(all, option.parent_id);
  await renumberLevel(ctx, { level: level.filter((each) => each.id !== id), wasNumbered: isNumberedInOrder(level) });
  ctx.emit(queueUpdated(queueId));

  return gone.flatMap(({ media_path: path }) => path ?? []);
}

/** Saves the file of an option; null removes it. */
export async function saveOptionFile(
  ctx: Ctx,
  id: number,
  file: Pick<QueueOptionFields, "media_path" | "media_name" | "media_type" | "media_size">,
): Promise<OptionInTree> {
  const { queue_id: queueId } = await getOption(ctx, id);
  await saveOption(ctx, id, file);
  ctx.emit(queueUpdated(queueId));
  return inTree(ctx, id);
}

/** Throws ERR_NOT_FOUND. */
export async function getOption(ctx: Ctx, id: number): Promise<QueueOptionRow> {
  const row = await findOption(ctx, id);
  if (!row) {
    throw notFound(id);
  }
  return row;
}

async function inTree(ctx: Ctx, id: number): Promise<OptionInTree> {
  const { queue_id: queueId } = await getOption(ctx, id);
  const all = await findOptionsOf(ctx, queueId);
  const row = all.find((option) => option.id === id);
  if (!row) {
    throw notFound(id);
  }
  return { row, all };
}

/** Saves a level's order and renumbers it; `keepsAnswers`: the user chose an answer, so no answer changes. */
async function renumberLevel(
  ctx: Ctx,
  {
    level,
    wasNumbered,
    keepsAnswers = false,
  }: { readonly level: readonly Answer[]; readonly wasNumbered: boolean; readonly keepsAnswers?: boolean },
): Promise<void> {
  const options = level.map(({ option }) => option);
  const answers = keepsAnswers ? options : renumber(options, wasNumbered);
  await saveLevel(
    ctx,
    level.map(({ id, option }, index) => ({ id, option: answers[index] ?? option })),
  );
}

async function lockedTree(ctx: Ctx, queueId: number): Promise<QueueOptionRow[]> {
  await lockTree(ctx, queueId);
  return findOptionsOf(ctx, queueId);
}

function checkParent(all: readonly QueueOptionRow[], parentId: number | null): void {
  if (parentId !== null && !all.some(({ id }) => id === parentId)) {
    throw invalid("parentId", "No such option in this queue");
  }
}

/** The requested answer; for an empty one a free number. Throws ERR_VALIDATION for a bot command or a taken answer. */
function checkedAnswer(requested: string, siblings: readonly QueueOptionRow[]): string {
  const taken = siblings.map(({ option }) => option);
  if (requested === "") {
    return nextFreeNumber(taken);
  }
  if (isBotCommand(requested)) {
    throw invalid("option", "Word of the bot");
  }
  if (!isAnswerFree(requested, taken)) {
    throw invalid("option", "Already in use");
  }
  return requested;
}

/** The answer after a move: if the old one is taken at the new level and none was requested, a free number. */
function answerAfterMove(requested: string | undefined, before: string, siblings: readonly QueueOptionRow[]): string {
  const isTaken =
    requested === undefined &&
    !isAnswerFree(
      before,
      siblings.map(({ option }) => option),
    );
  return checkedAnswer(isTaken ? "" : (requested ?? before), siblings);
}

function columnsOf({ title, message, fileListId }: Partial<QueueOptionBody>): Partial<QueueOptionFields> {
  return {
    ...(title !== undefined && { title }),
    ...(message !== undefined && { message }),
    ...(fileListId !== undefined && { file_list_id: fileListId }),
  };
}

function invalid(field: string, message: string): AppError {
  return new AppError("ERR_VALIDATION", { fields: { [field]: message } });
}

function notFound(queueOptionId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { queueOptionId });
}
