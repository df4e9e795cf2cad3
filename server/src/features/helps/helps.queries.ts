import { pageSize } from "@prosa/contract";
import type { Help, HelpBody } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "./helps.tables.ts";

const columns = ["id", "title", "description", "video"] as const;

export async function findHelps(ctx: Ctx): Promise<Help[]> {
  return ctx.db.selectFrom("helps").select(columns).orderBy("id").execute();
}

export async function searchHelps(
  ctx: Ctx,
  { searchParam, pageNumber }: { searchParam: string; pageNumber: number },
): Promise<{ rows: Help[]; count: number }> {
  const matching = ctx.db
    .selectFrom("helps")
    .where(
      sql<boolean>`(${searchParam} = '' or strpos(folded(title || ' ' || description), folded(${searchParam})) > 0)`,
    );
  const [rows, { count }] = await Promise.all([
    matching
      .select(columns)
      .orderBy("id")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export async function insertHelp(tx: SystemTx, help: HelpBody): Promise<Help> {
  return tx.db.insertInto("helps").values(help).returning(columns).executeTakeFirstOrThrow();
}

/** Undefined if there is no such help. Fields that are not given stay as they are. */
export async function saveHelp(
  tx: SystemTx,
  id: number,
  changes: { [K in keyof HelpBody]?: HelpBody[K] | undefined },
): Promise<Help | undefined> {
  const title = changes.title ?? sql.ref<string>("title");
  return tx.db
    .updateTable("helps")
    .set({ ...changes, title })
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();
}

export async function deleteHelp(tx: SystemTx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom("helps").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}
