import { wireName } from "@prosa/contract";
import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { everybody, publishRecords, userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import type { Services } from "#server/platform/services.ts";
import { paymentConcludedSchema } from "./invoices.events.ts";
import { findInvoices } from "./invoices.queries.ts";
import { invoicesRoutes } from "./invoices.routes.ts";
import { invoiceView } from "./invoices.view.ts";
import { issueCron } from "./issue/index.ts";
import { CHECK_TASK, checkCharge, checkCron } from "./pay/index.ts";
import { createOpenProvider, efiWebhookUrl, realHosts, REGISTER_TASK, sealedAccounts } from "./settings/index.ts";
import type { OpenProvider, ProviderHosts } from "./settings/index.ts";

/** Tells the company's browsers that it has paid, with the last due date that this brought (F-04). */
const publishPayment: EventHandler = async (batch, { companyId }) => {
  const company = paymentConcludedSchema.parse(batch.at(-1)?.payload);
  const payload = { action: "CONCLUIDA", company: { id: companyId, ...company } };
  return [{ rooms: [everybody], event: wireName(companyId, "payment"), payload }];
};

/** Job: tells Efí where to call. */
const registerWebhook =
  (services: Services, openProvider: OpenProvider): JobHandler =>
  async (_job, { signal }) => {
    const provider = await openProvider("efi");
    await provider?.registerWebhook?.(efiWebhookUrl(services), signal);
  };

/** `hosts`: where the payment providers are; tests have their own. */
export function invoicesFeature(hosts: ProviderHosts = realHosts): Feature {
  // One for routes and jobs of a process, so that its access tokens are kept.
  const opened = new WeakMap<Services, OpenProvider>();
  const providersOf = (services: Services): OpenProvider => {
    const known = opened.get(services) ?? createOpenProvider(services, hosts);
    opened.set(services, known);
    return known;
  };
  return {
    name: "invoices",
    routes: (api) => invoicesRoutes(api, providersOf(api.services)),
    sealed: [sealedAccounts],
    tasks: (services) => ({
      [CHECK_TASK]: checkCharge(providersOf(services), services),
      [REGISTER_TASK]: registerWebhook(services, providersOf(services)),
    }),
    crons: (services) => [issueCron(services), checkCron],
    events: () => ({
      ...publishRecords({
        noun: "invoice",
        idField: "invoiceId",
        load: async (ctx, ids) => (await findInvoices(ctx, ids)).map(invoiceView),
        rooms: async (ctx) => (await adminIdsOf(ctx)).map(userRoom),
      }),
      "payment.concluded": publishPayment,
    }),
  };
}
