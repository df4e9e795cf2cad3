import { connections } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { limitTokenSaves, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { listRefusedVersions } from "./client-versions/index.ts";
import { getConnection, listConnections } from "./connections.service.ts";
import { readLineLog } from "./history/index.ts";
import { readLineHealth } from "./health/index.ts";
import { confirmNumber, renewConnection, startConnection, stopConnection } from "./session/index.ts";
import { createConnection, removeConnection, updateConnection } from "./settings/index.ts";
import type { FailPendingOnLineDeletion } from "./settings/index.ts";

export function connectionsRoutes(api: Api, failPendingOnLineDeletion: FailPendingOnLineDeletion): void {
  const { db, config } = api.services;
  const { simulator } = config.whatsapp;

  /** A line of the simulator needs the simulator. */
  function allowProvider(provider: string | undefined): void {
    if (provider === "simulator" && !simulator) {
      throw new AppError("ERR_VALIDATION", { fields: { provider: "The simulator is turned off" } });
    }
  }

  serve(api, connections.list, (ctx) => listConnections(ctx));
  serve(api, connections.get, (ctx, { params }) => getConnection(ctx, params.id));
  serve(api, connections.create, async (ctx, { body }) => {
    allowProvider(body.provider);
    await limitTokenSaves(api.services, ctx.companyId, body.token);
    return createConnection(ctx, body);
  });
  serve(api, connections.update, async (ctx, { params, body }) => {
    allowProvider(body.provider);
    await limitTokenSaves(api.services, ctx.companyId, body.token);
    return updateConnection(ctx, params.id, body);
  });
  serve(
    api,
    connections.remove,
    async (ctx, { params }) => {
      await removeConnection(ctx, params.id, failPendingOnLineDeletion);
      return { message: "Connection deleted" };
    },
    { retry: true },
  );
  serve(api, connections.start, async (ctx, { params, body }) => {
    await startConnection(ctx, params.id, body.number);
    return { message: "Starting" };
  });
  serve(api, connections.renew, async (ctx, { params, body }) => {
    await renewConnection(ctx, params.id, body.number);
    return { message: "A new code is on its way" };
  });
  serve(api, connections.stop, async (ctx, { params }) => {
    await stopConnection(ctx, params.id);
    return { message: "Disconnecting" };
  });
  serve(api, connections.number, async (ctx, { params, body }) => {
    await confirmNumber(ctx, params.id, body.accept);
    return { message: body.accept ? "Connecting" : "Disconnecting" };
  });
  serve(api, connections.log, (ctx, { params }) => readLineLog(ctx, params.id));
  serve(api, connections.health, (ctx, { params }) => readLineHealth(ctx, params.id));
  serve(api, connections.refusedVersions, () => listRefusedVersions(db), { transaction: "none" });
}
