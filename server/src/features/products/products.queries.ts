import type { Product, ProductBody, ProductRecord } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import { searchByName } from "#server/platform/db/index.ts";
import type {} from "./products.tables.ts";

const columns = ["id", "name", "type", "price"] as const;

const recordColumns = [
  ...columns,
  sql<number>`(select count(*) from ticket_products tp where tp.product_id = products.id)`.as("ticketsCount"),
] as const;

export async function findProducts(ctx: Ctx): Promise<Product[]> {
  return ctx.db
    .selectFrom("products")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .orderBy(sql`folded(name)`)
    .execute();
}

/** With its ticket count, which only the screen of products shows. */
export async function findProduct(ctx: Ctx, id: number): Promise<ProductRecord | undefined> {
  return ctx.db
    .selectFrom("products")
    .select(recordColumns)
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function searchProducts(
  ctx: Ctx,
  query: { searchParam: string; pageNumber: number },
): Promise<{ rows: ProductRecord[]; count: number }> {
  const all = ctx.db.selectFrom("products").where("company_id", "=", ctx.companyId);
  return searchByName(all, (matching) => matching.select(recordColumns), query);
}

export async function insertProduct(ctx: Ctx, product: ProductBody): Promise<number> {
  const { id } = await ctx.db
    .insertInto("products")
    .values({ ...product, company_id: ctx.companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveProduct(
  ctx: Ctx,
  id: number,
  changes: { [K in keyof ProductBody]?: ProductBody[K] | undefined },
): Promise<ProductRecord | undefined> {
  return ctx.db
    .updateTable("products")
    .set({ ...changes, company_id: ctx.companyId })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .returning(recordColumns)
    .executeTakeFirst();
}

export async function deleteProduct(ctx: Ctx, id: number): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom("products")
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
