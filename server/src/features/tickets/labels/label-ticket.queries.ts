import type { Product, Tag } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const TAGS: Statement<Tag> = {
  name: "ticket_tags_read",
  text: `select g.id, g.name, g.color, g.kanban from ticket_tags tg join tags g on g.id = tg.tag_id
    where tg.company_id = $1 and tg.ticket_id = $2 order by g.name`,
};

/** The tags of a ticket, by name. */
export async function readTags(ctx: Ctx, ticketId: number): Promise<Tag[]> {
  return ctx.raw(TAGS, [ctx.companyId, ticketId]);
}

const RAISE_VERSION = "update tickets set version = version + 1, updated_at = $3 where company_id = $1 and id = $2";

const SET_TAGS: Statement<Tag> = {
  name: "ticket_tags_set",
  text: `with gone as (
      delete from ticket_tags where company_id = $1 and ticket_id = $2 and tag_id <> all($4::int[])),
    touched as (${RAISE_VERSION}),
    wanted as materialized (select id, name, color, kanban from tags where company_id = $1 and id = any($4::int[])),
    added as (
      insert into ticket_tags (company_id, ticket_id, tag_id) select $1, $2, id from wanted on conflict do nothing)
    select * from wanted order by name`,
};

/** Replaces the tags of a ticket, and raises its version as `touchTicket` does. Returns the tags that it has now, by name. */
export async function replaceTags(ctx: Ctx, ticketId: number, tagIds: readonly number[]): Promise<Tag[]> {
  return ctx.raw(SET_TAGS, [ctx.companyId, ticketId, ctx.now(), tagIds]);
}

const PRODUCTS: Statement<Product> = {
  name: "ticket_products_read",
  text: `select p.id, p.name, p.type, p.price from ticket_products tp join products p on p.id = tp.product_id
    where tp.company_id = $1 and tp.ticket_id = $2 order by p.name`,
};

/** The products of a ticket, by name. */
export async function readProducts(ctx: Ctx, ticketId: number): Promise<Product[]> {
  return ctx.raw(PRODUCTS, [ctx.companyId, ticketId]);
}

const ADD_PRODUCT: Statement<{ id: number }> = {
  name: "ticket_product_add",
  text: `insert into ticket_products (company_id, ticket_id, product_id)
    select $1, $2, id from products where company_id = $1 and id = $3
    on conflict do nothing returning product_id as id`,
};

/** False where the ticket already has it. */
export async function insertProduct(ctx: Ctx, ticketId: number, productId: number): Promise<boolean> {
  return (await ctx.raw(ADD_PRODUCT, [ctx.companyId, ticketId, productId])).length > 0;
}

const REMOVE_PRODUCT: Statement<{ id: number }> = {
  name: "ticket_product_remove",
  text: `delete from ticket_products where company_id = $1 and ticket_id = $2 and product_id = $3
    returning product_id as id`,
};

/** False where the ticket does not have it. */
export async function deleteProduct(ctx: Ctx, ticketId: number, productId: number): Promise<boolean> {
  return (await ctx.raw(REMOVE_PRODUCT, [ctx.companyId, ticketId, productId])).length > 0;
}

const TOUCH: Statement<never> = {
  name: "ticket_touch",
  text: RAISE_VERSION,
};

/** Raises the version after labels changed: a browser drops a view that is not newer than its own. */
export async function touchTicket(ctx: Ctx, ticketId: number): Promise<void> {
  await ctx.raw(TOUCH, [ctx.companyId, ticketId, ctx.now()]);
}
