import { companies } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { getCompanyPlan } from "./companies.service.ts";
import { getCompany, saveLocale, saveSchedules } from "./company-profile.ts";

export function companiesRoutes(api: Api): void {
  const { db } = api.services;

  serve(api, companies.get, (ctx, { params }) => getCompany(ctx, params.id));
  serve(api, companies.saveSchedules, (ctx, { params, body }) => saveSchedules(ctx, params.id, body));
  serve(api, companies.saveLocale, (ctx, { params, body }) => saveLocale(ctx, params.id, body));

  serve(
    api,
    companies.listPlan,
    async ({ actor }, { params }) => {
      if (!actor) {
        throw new AppError("ERR_NOT_SIGNED_IN");
      }
      return getCompanyPlan(db, actor, params.companyId);
    },
    { transaction: "none" },
  );
}
