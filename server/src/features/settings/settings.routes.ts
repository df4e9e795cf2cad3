import { settings } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { isOperatorToken, listWithToken, saveOperatorToken } from "./operator-token.ts";
import type { OperatorToken } from "./operator-token.ts";
import { saveSetting } from "./settings.service.ts";

export function settingsRoutes(api: Api, token: OperatorToken): void {
  const { services } = api;
  // The operator's token is of no company, so that it has a transaction of its own.
  const ownTransaction = { transaction: "none" } as const;
  serve(api, settings.list, (scope) => listWithToken(scope, services, token), ownTransaction);
  serve(
    api,
    settings.save,
    (scope, { params: { key }, body: { value } }) =>
      isOperatorToken(key)
        ? saveOperatorToken(scope, services, token, value)
        : scope.inCompany((ctx) => saveSetting(ctx, key, value)),
    ownTransaction,
  );
}
