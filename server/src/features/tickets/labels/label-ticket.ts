import type { BodyOf, Product, Tag, tags } from "@prosa/contract";
import { openLaneId, tagBody } from "@prosa/contract";
import { productsOf } from "#server/features/products/index.ts";
import { createTag, tagsOf } from "#server/features/tags/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { mustSee } from "../tickets.policy.ts";
import { lockTicket } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { visibleTicket } from "../tickets.service.ts";
import {
  deleteProduct,
  insertProduct,
  readProducts,
  readTags,
  replaceTags,
  touchTicket,
} from "./label-ticket.queries.ts";

type TagInput = BodyOf<typeof tags.sync>["tags"][number];

/**
 * Replaces the tags of a ticket that the actor may see (T-20). A name without an id is found by name, or created.
 * ERR_NOT_FOUND for an id that the company does not have.
 */
export async function setTags(ctx: Ctx, ticketId: number, inputs: readonly TagInput[]): Promise<Tag[]> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);

  return saveTags(ctx, ticket, await readTags(ctx, ticketId), await findOrCreateTagIds(ctx, inputs));
}

/** Gives a locked ticket these tags instead of those `before`, and publishes it; does neither where they are the same. */
export async function saveTags(
  ctx: Ctx,
  ticket: TicketRow,
  before: Tag[],
  wanted: ReadonlySet<number>,
): Promise<Tag[]> {
  if (wanted.size === before.length && before.every(({ id }) => wanted.has(id))) {
    return before;
  }
  const after = await replaceTags(ctx, ticket.id, [...wanted]);
  ctx.emit(ticketUpdated(ticket.id, ticket, ticket, relabelled(before, after)));
  return after;
}

/** The products of a ticket that the actor may see. */
export async function productsOfTicket(ctx: Ctx, ticketId: number): Promise<Product[]> {
  await visibleTicket(ctx, ticketId);
  return readProducts(ctx, ticketId);
}

/** Adds a product to the ticket; idempotent. ERR_NOT_FOUND for a product that the company does not have. */
export async function addProduct(ctx: Ctx, ticketId: number, productId: number): Promise<Product[]> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);
  await mustHaveProduct(ctx, productId);
  if (await insertProduct(ctx, ticketId, productId)) {
    await publishProducts(ctx, ticket);
  }
  return readProducts(ctx, ticketId);
}

/** Removes a product from the ticket; idempotent. ERR_NOT_FOUND for a product that the company does not have. */
export async function removeProduct(ctx: Ctx, ticketId: number, productId: number): Promise<Product[]> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);
  await mustHaveProduct(ctx, productId);
  if (await deleteProduct(ctx, ticketId, productId)) {
    await publishProducts(ctx, ticket);
  }
  return readProducts(ctx, ticketId);
}

async function mustHaveProduct(ctx: Ctx, productId: number): Promise<void> {
  if (!(await productsOf(ctx)).some(({ id }) => id === productId)) {
    throw new AppError("ERR_NOT_FOUND", { productId });
  }
}

async function findOrCreateTagIds(ctx: Ctx, inputs: readonly TagInput[]): Promise<Set<number>> {
  const known = await tagsOf(ctx);
  const byName = new Map(known.map(({ id, name }) => [name.toLowerCase(), id]));
  const ids = new Set<number>();
  for (const { id, name } of inputs) {
    if (id !== undefined) {
      if (!known.some((tag) => tag.id === id)) {
        throw new AppError("ERR_NOT_FOUND", { tagId: id });
      }
      ids.add(id);
    } else if (name !== undefined) {
      const found = byName.get(name.toLowerCase()) ?? (await createTag(ctx, tagBody.parse({ name }))).id;
      byName.set(name.toLowerCase(), found);
      ids.add(found);
    }
  }
  return ids;
}

/** Publishes the ticket with its new products to every socket that may see it. */
async function publishProducts(ctx: Ctx, ticket: TicketRow): Promise<void> {
  await touchTicket(ctx, ticket.id);
  ctx.emit(ticketUpdated(ticket.id, ticket, ticket, []));
}

/** The tags that came or went, and the open lane, which has the tickets without a lane's tag. */
function relabelled(before: readonly Tag[], after: readonly Tag[]): number[] {
  const without = (some: readonly Tag[], others: readonly Tag[]) =>
    some.map(({ id }) => id).filter((id) => !others.some((other) => other.id === id));
  const changed = [...without(before, after), ...without(after, before)];
  return before.some(isLane) === after.some(isLane) ? changed : [openLaneId, ...changed];
}

/** Is the tag a lane of the kanban? */
export const isLane = ({ kanban }: Pick<Tag, "kanban">): boolean => kanban === 1;
