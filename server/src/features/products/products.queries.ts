import type { Product } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import { searchByName } from "#server/platform/db/index.ts";
import type {} from "./products.tables.ts";

const columns = ["id", "name", "type"] as const;

export async function findProducts(ctx: Ctx): Promise<Product[]> {
  return ctx.db
    .selectFrom("products")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .orderBy(sql`folded(name)`)
    .execute();
}

export async function searchProducts(
  ctx: Ctx,
  query: { searchParam: string; pageNumber: number },
): Promise<{ rows: Product[]; count: number }> {
  const all = ctx.db.selectFrom("products").where("company_id", "=", ctx.companyId);
  return searchByName(all, (matching) => matching.select(columns), query);
}

export async function insertProduct(ctx: Ctx, product: { name: string; type: string }): Promise<Product> {
  return ctx.db
    .insertInto("products")
    .values({ ...product, company_id: ctx.companyId })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function saveProduct(
  ctx: Ctx,
  id: number,
  changes: { name?: string | undefined; type?: string | undefined },
): Promise<Product | undefined> {
  return ctx.db
    .updateTable("products")
    .set({ ...changes, company_id: ctx.companyId })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .returning(columns)
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
