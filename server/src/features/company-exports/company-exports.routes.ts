import { companyExports } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { linkOfExport, listExports, removeExport, startExport } from "./company-exports.service.ts";

export function companyExportsRoutes(api: Api): void {
  const { services } = api;
  serve(api, companyExports.list, async (ctx) => ({ records: await listExports(ctx) }));
  serve(api, companyExports.start, (edge) => startExport(services, edge), { transaction: "once" });
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
