import type { Tag } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { isLane, readTags, saveTags } from "../labels/index.ts";
import { mustSee } from "../tickets.policy.ts";
import { lockTicket } from "../tickets.queries.ts";
import { lockTag } from "./move-card.queries.ts";

/**
 * Moves a ticket that the actor may see to the lane of a tag: the tag replaces those of other lanes, ordinary tags stay (O-02).
 * A tag that is no lane is added, and replaces none. ERR_NOT_FOUND for a tag that the company does not have. Moves of one
 * ticket wait for each other: the last one decides.
 */
export async function moveToLane(ctx: Ctx, ticketId: number, tagId: number): Promise<Tag[]> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);
  const tag = await lockTag(ctx, tagId);
  if (!tag) {
    throw new AppError("ERR_NOT_FOUND", { tagId });
  }
  const before = await readTags(ctx, ticketId);
  const kept = isLane(tag) ? before.filter((each) => !isLane(each)) : before;
  return saveTags(ctx, ticket, before, new Set([...kept.map(({ id }) => id), tagId]));
}

/** Moves a ticket that the actor may see to the open lane: takes the tags of lanes off it; idempotent (O-02). */
export async function moveToOpenLane(ctx: Ctx, ticketId: number): Promise<Tag[]> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);
  const before = await readTags(ctx, ticketId);
  return saveTags(ctx, ticket, before, new Set(before.filter((tag) => !isLane(tag)).map(({ id }) => id)));
}
