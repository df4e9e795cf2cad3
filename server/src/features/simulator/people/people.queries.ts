import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "../simulator.tables.ts";

export interface PersonRow {
  readonly number: string;
  readonly name: string;
}

/** The people who were added to this line, oldest first. */
export async function findPeople(ctx: Ctx, connectionId: number): Promise<PersonRow[]> {
  return ctx.db
    .selectFrom("sim_people")
    .select(["number", "name"])
    .where("company_id", "=", ctx.companyId)
    .where("connection_id", "=", connectionId)
    .orderBy("created_at")
    .orderBy("number")
    .execute();
}

/** False if the number is in use, by any company. */
export async function insertPerson(ctx: Ctx, connectionId: number, { number, name }: PersonRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await ctx.db
    .insertInto("sim_people")
    .values({ number, name, company_id: ctx.companyId, connection_id: connectionId, created_at: ctx.now() })
    .onConflict((conflict) => conflict.column("number").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function hasScriptedCustomers(ctx: Ctx, connectionId: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("connections")
    .select("is_lively")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return row?.is_lively ?? false;
}
