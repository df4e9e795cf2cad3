import type { QueueOptionBody } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import {
  answersInOrder,
  childrenOf,
  freeOption,
  isCommand,
  isCounted,
  isFree,
  isWithin,
  placed,
  subtreeOf,
  treeOf,
} from "./option-tree.ts";
import type { TreeNode } from "./option-tree.ts";
import {
  arrange,
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
import { refuseReferences } from "./references.ts";

type Answer = Pick<QueueOptionRow, "id" | "option">;

/** An option among all of its queue: a view of it counts its children. */
export interface OptionInTree {
  readonly row: QueueOptionRow;
  readonly all: readonly QueueOptionRow[];
}

const treesOfCompany: Cached<ReadonlyMap<number, readonly TreeNode<QueueOptionRow>[]>> = {
  name: "queue options",
  staleAfter: queueEvents,
  load: async (ctx) => {
    const byQueue = Map.groupBy(await findOptions(ctx), ({ queue_id: queueId }) => queueId);
    return new Map([...byQueue].map(([queueId, options]) => [queueId, treeOf(options)]));
  },
};

/** The option trees of the company's queues, by queue. From memory: cheap enough for every message. */
export function optionTreesOf(ctx: Ctx): Promise<ReadonlyMap<number, readonly TreeNode<QueueOptionRow>[]>> {
  return ctx.cached(treesOfCompany);
}

/** Every option of one queue, in the order of positions. Throws ERR_NO_QUEUE_FOUND. */
export async function listOptions(ctx: Ctx, queueId: number): Promise<QueueOptionRow[]> {
  await getQueue(ctx, queueId);
  return findOptionsOf(ctx, queueId);
}

/** Adds an option at any depth. Throws ERR_VALIDATION for a parent elsewhere, or an answer that is taken. */
export async function createOption(ctx: Ctx, body: QueueOptionBody): Promise<OptionInTree> {
  await getQueue(ctx, body.queueId);
  refuseReferences(body);
  const all = await lockedTree(ctx, body.queueId);
  checkParent(all, body.parentId);
  const level = childrenOf(all, body.parentId);

  const option = answerFor(body.option, level);
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
  await arrangeLevel(ctx, {
    level: placed([...level, { id, option }], id, body.position),
    wasCounted: isCounted(level),
    isKept: body.option !== "",
  });
  ctx.emit(queueUpdated(body.queueId));

  return inTree(ctx, id);
}

/** Changes an option, and moves it where parentId or position say; never below itself, nor to another queue. */
export async function updateOption(ctx: Ctx, id: number, body: Partial<QueueOptionBody>): Promise<OptionInTree> {
  const { queue_id: queueId } = await getOption(ctx, id);
  refuseReferences(body);
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
  const beside = to.filter((option) => option.id !== id);
  const isMoved = parentId !== before.parent_id;
  const option = isMoved
    ? answerAfterMove(body.option, before.option, beside)
    : answerFor(body.option ?? before.option, beside);
  await saveOption(ctx, id, { ...changesOf(body), parent_id: parentId, option });
  if (isMoved || body.position !== undefined) {
    await arrangeLevel(ctx, {
      level: placed([...beside, { id, option }], id, body.position),
      wasCounted: isCounted(to),
      isKept: body.option !== undefined && body.option !== "",
    });
  }
  if (isMoved) {
    await arrangeLevel(ctx, { level: from.filter((each) => each.id !== id), wasCounted: isCounted(from) });
  }
  ctx.emit(queueUpdated(queueId));

  return inTree(ctx, id);
}

/** Deletes an option with all below it; the files that hung on them are told, so that they can go after the commit. */
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
  await arrangeLevel(ctx, { level: level.filter((each) => each.id !== id), wasCounted: isCounted(level) });
  ctx.emit(queueUpdated(queueId));

  return gone.flatMap(({ media_path: path }) => path ?? []);
}

/** The file of an option; all null takes it off. */
export async function changeFile(
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

/** Numbers a level anew; where somebody just chose an answer (`isKept`), all of them stay as they are. */
async function arrangeLevel(
  ctx: Ctx,
  {
    level,
    wasCounted,
    isKept = false,
  }: { readonly level: readonly Answer[]; readonly wasCounted: boolean; readonly isKept?: boolean },
): Promise<void> {
  const options = level.map(({ option }) => option);
  const answers = isKept ? options : answersInOrder(options, wasCounted);
  await arrange(
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

/** What the customer will type: as wished, unless somebody beside it or the bot itself has it; a free number for none. */
function answerFor(wish: string, beside: readonly QueueOptionRow[]): string {
  const taken = beside.map(({ option }) => option);
  if (wish === "") {
    return freeOption(taken);
  }
  if (isCommand(wish)) {
    throw invalid("option", "Word of the bot");
  }
  if (!isFree(wish, taken)) {
    throw invalid("option", "Already in use");
  }
  return wish;
}

/** In its new place the old answer may be taken, and dragging asks nobody for another: then it gets a free number. */
function answerAfterMove(wish: string | undefined, before: string, beside: readonly QueueOptionRow[]): string {
  const isTaken =
    wish === undefined &&
    !isFree(
      before,
      beside.map(({ option }) => option),
    );
  return answerFor(isTaken ? "" : (wish ?? before), beside);
}

function changesOf({ title, message, fileListId }: Partial<QueueOptionBody>): Partial<QueueOptionFields> {
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
