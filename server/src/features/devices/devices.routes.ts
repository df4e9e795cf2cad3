import { push } from "@prosa/contract";
import { requireUser } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { deleteFromOtherCompanies } from "./devices.queries.ts";
import { countTestPush, subscribe, sendTestPush, unsubscribe } from "./devices.service.ts";
import { getVapidKeys } from "./vapid.ts";

export function devicesRoutes(api: Api): void {
  const { services } = api;
  const noTransaction = { transaction: "none" } as const;

  serve(api, push.key, async () => ({ publicKey: (await getVapidKeys(services)).publicKey }), noTransaction);
  serve(
    api,
    push.subscribe,
    async (scope, { body }) => {
      await deleteFromOtherCompanies(services.db, body.endpoint, requireUser(scope).companyId);
      await scope.inCompany((ctx) => subscribe(ctx, services, body));
      return { message: "Subscribed" };
    },
    noTransaction,
  );
  serve(api, push.unsubscribe, async (ctx, { body }) => {
    await unsubscribe(ctx, body.endpoint);
    return { message: "Unsubscribed" };
  });
  serve(
    api,
    push.test,
    async (scope) => {
      await countTestPush(services, requireUser(scope).userId);
      return { devices: await scope.inCompany(sendTestPush) };
    },
    noTransaction,
  );
}
