import { support } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { askForSupport, enterAsSupport, leaveAsSupport } from "./support.operator.ts";
import { allowSupport, endSupport, getSupport } from "./support.service.ts";

export function supportRoutes(api: Api): void {
  const { services } = api;
  // Requests may not write what these change.
  const own = { transaction: "none" } as const;

  serve(api, support.state, (ctx) => getSupport(ctx));
  serve(api, support.allow, async (edge, { body }) => allowSupport(services, edge, body.hours), own);
  serve(api, support.end, async (edge, { params }) => endSupport(services, edge, params.id), own);
  serve(api, support.ask, async (edge, { body }) => askForSupport(services, edge, body), own);
  serve(api, support.enter, async (edge, { body }) => enterAsSupport(services, edge, body), own);
  serve(
    api,
    support.leave,
    async (edge) => {
      await leaveAsSupport(services, edge);
      return { message: "Left" };
    },
    own,
  );
}
