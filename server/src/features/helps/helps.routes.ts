import { helps } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { findHelps } from "./helps.queries.ts";
import { changeHelp, createHelp, listHelps, removeHelp } from "./helps.service.ts";

/** Helps belong to no company, so the service opens a system transaction to write them. */
const ownTransaction = { transaction: "none" } as const;

export function helpsRoutes(api: Api): void {
  const { db } = api.services;

  serve(api, helps.list, (ctx, { query }) => listHelps(ctx, query));
  serve(api, helps.lookup, (ctx) => findHelps(ctx));
  serve(api, helps.create, (scope, { body }) => scope.inSystemOnce((tx) => createHelp(tx, body)), {
    transaction: "once",
  });
  serve(api, helps.update, (_, { params, body }) => changeHelp(db, params.id, body), ownTransaction);
  serve(
    api,
    helps.remove,
    async (_, { params }) => {
      await removeHelp(db, params.id);
      return { message: "Help deleted" };
    },
    ownTransaction,
  );
}
