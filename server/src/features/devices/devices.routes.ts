import { push } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { deleteOfOthers } from "./devices.queries.ts";
import { subscribe, testDevices, unsubscribe } from "./devices.service.ts";
import { vapidKeys } from "./vapid.ts";

export function devicesRoutes(api: Api): void {
  const { services } = api;
  const outside = { transaction: "none" } as const;

  serve(api, push.key, async () => ({ publicKey: (await vapidKeys(services)).publicKey }), outside);
  serve(
    api,
    push.subscribe,
    async (edge, { body }) => {
      if (edge.actor?.kind !== "user") {
        throw new AppError("ERR_NO_PERMISSION");
      }
      await deleteOfOthers(services.db, body.endpoint, edge.actor.companyId);
      await edge.inCompany((ctx) => subscribe(ctx, services, body));
      return { message: "Subscribed" };
    },
    outside,
  );
  serve(api, push.unsubscribe, async (ctx, { body }) => {
    await unsubscribe(ctx, body.endpoint);
    return { message: "Unsubscribed" };
  });
  serve(api, push.test, async (ctx) => ({ devices: await testDevices(ctx) }));
}
