import { setup } from "@prosa/contract";
import { callerOf } from "#server/features/auth/index.ts";
import { languageOf, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { requireNoOperator, setUp } from "./setup.service.ts";

export function setupRoutes(api: Api): void {
  const { services } = api;
  const ownTransaction = { transaction: "none" } as const;

  serve(
    api,
    setup.state,
    async () => {
      await requireNoOperator(services);
      return { company: services.config.operator.company };
    },
    ownTransaction,
  );
  serve(
    api,
    setup.create,
    async (_edge, { body, request }) => {
      await setUp(services, body, { caller: callerOf(request), language: languageOf(request) });
      return { message: "Operator created" };
    },
    ownTransaction,
  );
}
