import type { Ctx } from "#server/platform/ctx.ts";
import { loadConnection } from "../connections.service.ts";
import { findLineLog } from "./line-log.queries.ts";

/** The latest entries of the line's log, newest first. */
export async function readLineLog(ctx: Ctx, id: number) {
  await loadConnection(ctx, id);
  return findLineLog(ctx, id);
}
