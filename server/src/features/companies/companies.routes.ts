import { companies } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { getCompanyPlan } from "./companies.service.ts";

export function companiesRoutes(api: Api): void {
  const { db } = api.services;

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
