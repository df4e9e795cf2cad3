import type { Connection } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findConnection, findConnections } from "./connections.queries.ts";
import type { ConnectionRow } from "./connections.queries.ts";
import { connectionViewFor } from "./connections.view.ts";

export async function listConnections(ctx: Ctx): Promise<Connection[]> {
  const rows = await findConnections(ctx);
  return rows.map((row) => connectionViewFor(ctx, row));
}

export async function getConnection(ctx: Ctx, id: number): Promise<Connection> {
  return connectionViewFor(ctx, await loadConnection(ctx, id));
}

/** Throws ERR_NO_WAPP_FOUND. */
export async function loadConnection(ctx: Ctx, id: number): Promise<ConnectionRow> {
  const row = await findConnection(ctx, id);
  if (!row) {
    throw new AppError("ERR_NO_WAPP_FOUND", { whatsappId: id });
  }
  return row;
}

/** Throws ERR_NO_WAPP_FOUND where the update `saved` no row. */
export async function requireFound(id: number, saved: Promise<boolean>): Promise<void> {
  if (!(await saved)) {
    throw new AppError("ERR_NO_WAPP_FOUND", { whatsappId: id });
  }
}
