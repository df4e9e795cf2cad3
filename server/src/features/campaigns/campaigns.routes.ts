import { Readable } from "node:stream";
import { campaignSettings, campaigns } from "@prosa/contract";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import type { CampaignRow } from "./campaigns.queries.ts";
import { campaignView } from "./campaigns.view.ts";
import { sendTest } from "./dispatch/index.ts";
import {
  attachFile,
  cloneCampaign,
  createCampaign,
  detachFile,
  listCampaigns,
  removeWithFile,
  updateCampaign,
} from "./edit/index.ts";
import { exportCsv, exportXlsx, getCampaign, getTimeline, listRecipients, recordExport } from "./report/index.ts";
import { listCampaignSettings, saveCampaignSettings } from "./settings/index.ts";
import { cancelCampaign, restartCampaign } from "./start/index.ts";

export function campaignsRoutes(api: Api, contacts: ContactResolver): void {
  const { media, storage } = api.services;
  const view = (companyId: number, row: CampaignRow) => campaignView(media, companyId, row);
  // Files are stored and deleted outside the transaction.
  const noTransaction = { transaction: "none" } as const;

  serve(api, campaigns.list, async (ctx, { query }) => {
    const { rows, ...page } = await listCampaigns(ctx, query);
    return { ...page, records: rows.map((row) => view(ctx.companyId, row)) };
  });
  serve(api, campaigns.get, async (ctx, { params }) => {
    const { row, shipping } = await getCampaign(ctx, params.id);
    return { ...view(ctx.companyId, row), shipping };
  });
  serve(api, campaigns.create, async (ctx, { body }) => view(ctx.companyId, await createCampaign(ctx, body)));
  serve(api, campaigns.update, async (ctx, { params, body }) =>
    view(ctx.companyId, await updateCampaign(ctx, params.id, body)),
  );
  serve(api, campaigns.clone, async (ctx, { params }) => view(ctx.companyId, await cloneCampaign(ctx, params.id)));
  serve(api, campaigns.cancel, async (ctx, { params }) => view(ctx.companyId, await cancelCampaign(ctx, params.id)));
  serve(api, campaigns.restart, async (ctx, { params }) => view(ctx.companyId, await restartCampaign(ctx, params.id)));
  serve(api, campaigns.test, async (ctx, { params, body }) => {
    await sendTest(ctx, contacts, params.id, body.number);
    return { message: "Campaign test sent" };
  });
  serve(
    api,
    campaigns.remove,
    async (scope, { params }) => {
      await removeWithFile(scope, storage, params.id);
      return { message: "Campaign deleted" };
    },
    noTransaction,
  );
  serve(
    api,
    campaigns.upload,
    async (scope, { params, files: [upload] }) =>
      view(scope.actor?.companyId ?? 0, await attachFile(scope, storage, params.id, upload)),
    noTransaction,
  );
  serve(
    api,
    campaigns.removeMedia,
    async (scope, { params }) => view(scope.actor?.companyId ?? 0, await detachFile(scope, storage, params.id)),
    noTransaction,
  );
  reportRoutes(api);

  serve(api, campaignSettings.list, (ctx) => listCampaignSettings(ctx));
  serve(api, campaignSettings.save, (ctx, { body }) => saveCampaignSettings(ctx, body));
}

const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

function reportRoutes(api: Api): void {
  serve(api, campaigns.recipients, (ctx, { params, query }) => listRecipients(ctx, params.id, query));
  serve(api, campaigns.timeline, (ctx, { params }) => getTimeline(ctx, params.id));
  serve(
    api,
    campaigns.export,
    async (scope, { params: { id }, query: { format }, reply }) => {
      await scope.inCompany((ctx) => recordExport(ctx, id, format));
      const content = format === "csv" ? exportCsv(scope, id) : exportXlsx(scope, id);
      return reply
        .type(format === "csv" ? "text/csv; charset=utf-8" : xlsxType)
        .header("content-disposition", `attachment; filename="campanha-${id}.${format}"`)
        .send(Readable.from(content));
    },
    { transaction: "none" },
  );
}
