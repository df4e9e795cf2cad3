import { hasPermission, pageSize } from "@prosa/contract";
import type { Tag, TagRecord } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { Cached } from "#server/platform/db/index.ts";
import {
  deleteTag,
  findLanes,
  findTag,
  findTags,
  insertTag,
  lockLanes,
  lockTag,
  saveLaneOrder,
  saveTag,
  searchTags,
} from "./tags.queries.ts";

export interface TagBody {
  readonly name: string;
  readonly color: string;
  readonly kanban: 0 | 1;
  readonly userId?: number | null | undefined;
}

const staleAfter = ["tag.created", "tag.updated", "tag.deleted"];
const cachedTags: Cached<readonly Tag[]> = { name: "tags", staleAfter, load: findTags };
const cachedLanes: Cached<readonly Tag[]> = { name: "tags.lanes", staleAfter, load: findLanes };

/** Every tag of the company, by name. Cached. */
export function tagsOf(ctx: Ctx): Promise<readonly Tag[]> {
  return ctx.cached(cachedTags);
}

export async function listTags(ctx: Ctx, query: { searchParam: string; pageNumber: number }) {
  const { tags, count } = await searchTags(ctx, query);
  return { tags, count, hasMore: query.pageNumber * pageSize.others < count };
}

/** Tags whose name contains the text, for a picker. */
export async function lookUpTags(ctx: Ctx, text: string): Promise<readonly Tag[]> {
  return (await tagsOf(ctx)).filter(({ name }) => name.toLowerCase().includes(text));
}

/** The tags that are lanes, in the order of the board. Cached. */
export async function kanbanLanes(ctx: Ctx): Promise<Tag[]> {
  return [...(await ctx.cached(cachedLanes))];
}

/**
 * Puts these lanes first on the board, in this order; the others keep theirs behind them (O-02). ERR_NOT_FOUND for an id that
 * is no lane of the company.
 */
export async function orderLanes(ctx: Ctx, tagIds: readonly number[]): Promise<Tag[]> {
  await lockLanes(ctx);
  const lanes = new Map((await findLanes(ctx)).map((lane) => [lane.id, lane]));
  // Named first, the others behind them: a set keeps the order in which its ids were added.
  const ordered = [...new Set([...tagIds, ...lanes.keys()])].map((tagId) => {
    const lane = lanes.get(tagId);
    if (!lane) {
      throw new AppError("ERR_NOT_FOUND", { tagId });
    }
    return lane;
  });
  const ids = ordered.map((lane) => lane.id);
  for (const id of await saveLaneOrder(ctx, ids)) {
    ctx.emit(tagEvent("updated", id));
  }
  return ordered;
}

export async function getTag(ctx: Ctx, id: number): Promise<TagRecord> {
  const tag = await findTag(ctx, id);
  if (!tag) {
    throw notFound(id);
  }
  return tag;
}

/**
 * A tag whose owner is its author, if nobody else is named. Throws ERR_NAME_TAKEN, ERR_NO_USER_FOUND for an owner whom the
 * company does not have, and ERR_NO_PERMISSION if the actor may not set the kanban flag (O-04).
 */
export async function createTag(ctx: Ctx, body: TagBody): Promise<TagRecord> {
  allowKanban(ctx, body.kanban === 1);

  const { name, color, kanban, userId } = body;
  const id = await translateViolation(() => insertTag(ctx, { name, color, kanban, user_id: userId ?? authorOf(ctx) }));
  ctx.emit(tagEvent("created", id));

  return getTag(ctx, id);
}

/** Changes what is given of a tag; the rest stays, also where a colleague changes it meanwhile. Throws like `createTag`. */
export async function updateTag(ctx: Ctx, id: number, body: Partial<TagBody>): Promise<TagRecord> {
  const before = await lockTag(ctx, id);
  if (!before) {
    throw notFound(id);
  }
  allowKanban(ctx, body.kanban !== undefined && body.kanban !== before.kanban);

  const { name, color, kanban, userId } = body;
  await translateViolation(() => saveTag(ctx, id, { name, color, kanban, user_id: userId }));
  ctx.emit(tagEvent("updated", id));

  return getTag(ctx, id);
}

/** Deletes a tag and removes it from every ticket. */
export async function removeTag(ctx: Ctx, id: number): Promise<void> {
  if (!(await deleteTag(ctx, id))) {
    throw notFound(id);
  }
  ctx.emit(tagEvent("deleted", id));
}

function tagEvent(change: "created" | "updated" | "deleted", tagId: number): DomainEvent {
  return { type: `tag.${change}`, payload: { tagId } };
}

function notFound(tagId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { tagId });
}

function allowKanban({ actor }: Ctx, isChanged: boolean): void {
  const may = actor.kind !== "user" || hasPermission(actor, "tags:editKanban");
  if (isChanged && !may) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

function authorOf({ actor }: Ctx): number | null {
  return actor.kind === "user" && !actor.support ? actor.userId : null;
}

async function translateViolation<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    switch (brokenConstraint(error)) {
      case "tags_company_id_name_key":
        throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
      case "tags_user_id_fkey":
        throw new AppError("ERR_NO_USER_FOUND", undefined, { cause: error });
      default:
        throw error;
    }
  }
}
