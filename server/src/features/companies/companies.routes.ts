import { companies } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope } from "#server/platform/http/index.ts";
import { addCompany, listCompanies, listEveryCompany, removeCompany, updateCompany } from "./companies.operator.ts";
import type { Operator } from "./companies.operator.ts";
import { getCompanyPlan } from "./companies.service.ts";
import { getCompany, saveLocale, saveSchedules } from "./company-profile.ts";

export function companiesRoutes(api: Api): void {
  const { db } = api.services;
  // Over all companies: in no company's transaction.
  const over = { transaction: "none" } as const;

  serve(api, companies.list, async (_edge, { query }) => listCompanies(db, query), over);
  serve(api, companies.lookup, async () => listEveryCompany(db), over);
  serve(api, companies.create, async (_edge, { body }) => addCompany(db, body), over);
  serve(api, companies.update, async (edge, { params, body }) => updateCompany(by(edge), params.id, body), over);
  serve(
    api,
    companies.remove,
    async (edge, { params }) => {
      await removeCompany(by(edge), params.id);
      return { message: "Company deleted" };
    },
    over,
  );

  function by(edge: RequestScope): Operator {
    const { actor } = edge;
    if (actor?.kind !== "user") {
      throw new AppError("ERR_NOT_SIGNED_IN");
    }
    return { db, ownId: actor.companyId, userId: actor.userId, now: edge.now() };
  }

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
