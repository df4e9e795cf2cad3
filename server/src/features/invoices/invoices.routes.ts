import { invoices, pageSize, subscription } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope } from "#server/platform/http/index.ts";
import { findInvoiceDetails, findInvoicesOf, findInvoices } from "./invoices.queries.ts";
import { invoiceDetailsView, invoiceView } from "./invoices.view.ts";
import { findNextOrder, issueNow } from "./issue/index.ts";
import { findBilledCompanies, findSummary, isCompany } from "./operator/index.ts";
import { hearAsaas, hearEfi, markPaid, orderPix, takeBackMark } from "./pay/index.ts";
import { getBillingSettings, saveBillingSettingsOf } from "./settings/index.ts";
import type { OpenProvider } from "./settings/index.ts";

export function invoicesRoutes(api: Api, openProvider: OpenProvider): void {
  const { services } = api;
  const { db, clock } = services;
  // What reaches several companies, or leaves the process, has no transaction of one.
  const ownTransaction = { transaction: "none" } as const;

  serve(api, invoices.list, async (ctx, { query }) => {
    const { rows, count } = await findInvoicesOf(ctx, ctx.companyId, query);
    return { invoices: rows.map(invoiceView), count, hasMore: query.pageNumber * pageSize.others < count };
  });
  serve(api, invoices.all, async (ctx, { query }) =>
    (await findInvoicesOf(ctx, ctx.companyId, query)).rows.map(invoiceView),
  );
  serve(api, invoices.get, async (ctx, { params }) => {
    const row = await findInvoiceDetails(ctx, params.id);
    if (!row) {
      throw new AppError("ERR_NOT_FOUND", { invoiceId: params.id });
    }
    return invoiceDetailsView(row);
  });
  const tools = {
    services,
    openProvider,
    issueNow: (companyId: number) => db.systemTx((tx) => issueNow(tx, companyId, clock.now())),
  };
  serve(api, subscription.next, async (ctx) => ({ order: await findNextOrder(ctx) }));
  serve(api, subscription.create, (scope, { body }) => orderPix(scope, tools, body), ownTransaction);

  operatorRoutes(api);

  const heard = { message: "OK" };
  for (const endpoint of [invoices.efiWebhook, invoices.efiPixWebhook]) {
    serve(
      api,
      endpoint,
      async (_scope, { params, body }) => {
        await hearEfi(services, params.secret, body);
        return heard;
      },
      ownTransaction,
    );
  }
  serve(
    api,
    invoices.asaasWebhook,
    async (_scope, { request, body }) => {
      await hearAsaas(services, request.headers["asaas-access-token"], body);
      return heard;
    },
    ownTransaction,
  );
}

function operatorRoutes(api: Api): void {
  const { services } = api;
  const { db } = services;
  const ownTransaction = { transaction: "none" } as const;

  serve(api, invoices.settings, () => getBillingSettings(services), ownTransaction);
  serve(
    api,
    invoices.saveSettings,
    (scope, { body }) => saveBillingSettingsOf(services, userOf(scope).companyId, body),
    ownTransaction,
  );
  serve(
    api,
    invoices.summary,
    (scope) => db.systemTx((tx) => findSummary(tx, scope.now(), userOf(scope).companyId)),
    ownTransaction,
  );
  serve(
    api,
    invoices.companies,
    async (scope, { query }) => {
      const { rows, count } = await db.systemTx((tx) => findBilledCompanies(tx, scope.now(), query));
      return { companies: rows, count, hasMore: query.pageNumber * pageSize.others < count };
    },
    ownTransaction,
  );
  serve(
    api,
    invoices.ofCompany,
    async (_scope, { params, query }) => {
      if (!(await db.systemTx((tx) => isCompany(tx, params.companyId)))) {
        throw new AppError("ERR_NOT_FOUND", { companyId: params.companyId });
      }
      const page = { ...query, searchParam: "" };
      const { rows, count } = await db.systemTx((tx) => findInvoicesOf(tx, params.companyId, page));
      return { invoices: rows.map(invoiceView), count, hasMore: query.pageNumber * pageSize.others < count };
    },
    ownTransaction,
  );
  serve(
    api,
    invoices.markPaid,
    async (scope, { params, body }) => {
      const { userId } = userOf(scope);
      const companyId = await markPaid(db, { userId, now: scope.now() }, params.id, body.note);
      return viewOf(companyId, params.id);
    },
    ownTransaction,
  );
  serve(
    api,
    invoices.takeBack,
    async (scope, { params: { id }, query: { markId } }) =>
      viewOf(await takeBackMark(db, scope.now(), { id, markId }), id),
    ownTransaction,
  );

  async function viewOf(companyId: number, id: number) {
    const [row] = await db.systemTx((tx) => findInvoices({ ...tx, companyId }, [id]));
    return invoiceView(row!);
  }
}

function userOf({ actor }: RequestScope) {
  if (actor?.kind !== "user") {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return actor;
}
