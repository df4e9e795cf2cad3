import { companyExports } from "@prosa/contract";
import { enforceSharedLimit, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { linkOfExport, listExports, removeExport, startExport } from "./company-exports.service.ts";

/** An archive reads everything that a company has. */
const limit = { max: 10, perSeconds: 86_400 };

export function companyExportsRoutes(api: Api): void {
  const { services } = api;
  serve(api, companyExports.list, async (ctx) => ({ records: await listExports(ctx) }));
  serve(
    api,
    companyExports.start,
    async (edge) => {
      await enforceSharedLimit(services, `company-exports:${edge.actor?.companyId}`, limit);
      return startExport(services, edge);
    },
    { transaction: "none" },
  );
  serve(api, companyExports.link, (ctx, { params }) => linkOfExport(ctx, services, params.id));
  serve(
    api,
    companyExports.remove,
    async (edge, { params }) => {
      await removeExport(services, edge, params.id);
      return { message: "Export removed" };
    },
    { transaction: "none" },
  );
}
