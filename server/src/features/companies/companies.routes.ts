import { companies, signUps } from "@prosa/contract";
import { callerOf } from "#server/features/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { languageOf, limitTokenSaves, serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope } from "#server/platform/http/index.ts";
import {
  addCompany,
  getAnyCompany,
  listCompanies,
  listEveryCompany,
  removeCompany,
  updateCompany,
} from "./companies.operator.ts";
import type { Operator } from "./companies.operator.ts";
import { getCompanyPlan } from "./companies.service.ts";
import { getAccount, saveAccount } from "./company-account.ts";
import { openSignUpForm, signUp } from "./sign-up/index.ts";
import { getCompany, saveLocale, saveSchedules } from "./company-profile.ts";

export function companiesRoutes(api: Api): void {
  const { db } = api.services;
  // The operator's calls reach every company: no transaction of one company.
  const ownTransaction = { transaction: "none" } as const;

  serve(api, companies.list, async (edge, { query }) => listCompanies(operatorOf(edge), query), ownTransaction);
  serve(api, companies.lookup, async () => listEveryCompany(db), ownTransaction);
  serve(
    api,
    companies.create,
    (scope, { body }) => scope.inSystemOnce((tx) => addCompany(tx, operatorOf(scope), body)),
    { transaction: "once" },
  );
  serve(
    api,
    companies.update,
    async (edge, { params, body }) => updateCompany(operatorOf(edge), params.id, body),
    ownTransaction,
  );
  serve(
    api,
    companies.remove,
    async (edge, { params }) => {
      await removeCompany(operatorOf(edge), params.id);
      return { message: "Company deleted" };
    },
    ownTransaction,
  );

  serve(
    api,
    signUps.form,
    async (_edge, { query, request }) => openSignUpForm(api.services, query.companyId, callerOf(request)),
    ownTransaction,
  );
  serve(
    api,
    signUps.create,
    async (_edge, { body, request }) =>
      signUp(api.services, body, { caller: callerOf(request), language: languageOf(request) }),
    ownTransaction,
  );

  function operatorOf(edge: RequestScope): Operator {
    const { actor } = edge;
    if (actor?.kind !== "user") {
      throw new AppError("ERR_NOT_SIGNED_IN");
    }
    return { db, ownId: actor.companyId, userId: actor.userId, now: edge.now() };
  }

  serve(
    api,
    companies.get,
    async (edge, { params }) =>
      edge.actor?.kind === "user" && edge.actor.isSuper
        ? getAnyCompany(db, params.id)
        : edge.read((ctx) => getCompany(ctx, params.id)),
    ownTransaction,
  );
  serve(api, companies.saveSchedules, (ctx, { params, body }) => saveSchedules(ctx, params.id, body));
  serve(api, companies.account, (ctx, { params }) => getAccount(ctx, params.id));
  serve(api, companies.saveAccount, async (ctx, { params, body }) => {
    await limitTokenSaves(api.services, ctx.companyId, body.token);
    return saveAccount(ctx, params.id, body);
  });
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
