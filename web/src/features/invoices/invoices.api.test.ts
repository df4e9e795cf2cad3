import type { SessionUser } from "@prosa/contract/auth";
import { rulesFor } from "@prosa/contract/permissions";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { dispatch } from "#web/lib/realtime/realtime.ts";
import { invoiceKeys } from "./invoices.api.ts";

test("the operator's lists and sums are asked again when another operator has marked an invoice, or a company has paid (F-03)", () => {
  const queryClient = new QueryClient();
  const operator = { id: 1, companyId: 7, permissions: [...rulesFor("admin")] } as SessionUser;
  const keys = [["company", 9], ["companies", ""], ["summary"]].map((rest) => [...invoiceKeys.queryKey, ...rest]);
  for (const key of keys) {
    queryClient.setQueryData(key, {});
  }

  dispatch("company-7-company", { action: "changed" }, queryClient, operator);

  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
});
