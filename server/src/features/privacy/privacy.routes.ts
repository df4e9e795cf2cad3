import { privacy } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { listExports, openExport, requestExport } from "./export/index.ts";
import { listErasures, requestErasure } from "./privacy.service.ts";
import { previewRetention, readRetention, saveRetention } from "./retention.ts";

export function privacyRoutes(api: Api): void {
  serve(api, privacy.export, (ctx, { params }) => requestExport(ctx, params.id));
  serve(api, privacy.exports, async (ctx, { params }) => ({ records: await listExports(ctx, params.id) }));
  serve(
    api,
    privacy.download,
    async (edge, { params, reply }) => {
      const { key, name } = await edge.inCompany((ctx) => openExport(ctx, params.id));
      return reply
        .type("application/zip")
        .header("content-disposition", `attachment; filename="${name}"`)
        .send(await api.services.storage.get(key));
    },
    { transaction: "none" },
  );
  serve(api, privacy.erase, (ctx, { params, body }) => requestErasure(ctx, api.services, params.id, body.confirmation));
  serve(api, privacy.erasures, (ctx, { query }) => listErasures(ctx, query.pageNumber));
  serve(api, privacy.retention, readRetention);
  serve(api, privacy.previewRetention, (ctx, { body }) => previewRetention(ctx, body), { transaction: "read" });
  serve(api, privacy.saveRetention, async (ctx, { body }) => {
    await saveRetention(ctx, body);
    return { message: "Retention saved" };
  });
}
