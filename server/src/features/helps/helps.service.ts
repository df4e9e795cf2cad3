import { pageSize } from "@prosa/contract";
import type { BodyOf, Help, HelpBody, helps } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import { deleteHelp, insertHelp, saveHelp, searchHelps } from "./helps.queries.ts";

export async function listHelps(ctx: Ctx, query: { searchParam: string; pageNumber: number }) {
  const { rows, count } = await searchHelps(ctx, query);
  return { helps: rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

export async function createHelp(tx: SystemTx, body: HelpBody): Promise<Help> {
  return insertHelp(tx, body);
}

export async function changeHelp(db: Db, id: number, changes: BodyOf<typeof helps.update>): Promise<Help> {
  const help = await db.systemTx((tx) => saveHelp(tx, id, changes));
  if (!help) {
    throw notFound(id);
  }
  return help;
}

export async function removeHelp(db: Db, id: number): Promise<void> {
  if (!(await db.systemTx((tx) => deleteHelp(tx, id)))) {
    throw notFound(id);
  }
}

function notFound(helpId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { helpId });
}
