import type { BillingSettings } from "@prosa/contract/invoices";
import { expect, test } from "vitest";
import { bodyOf, valuesOf } from "./billing-values.ts";

const stored: BillingSettings = {
  ...{ graceDays: 3, provider: "efi", pixKey: "", pixName: "Prosa", pixCity: "Recife" },
  efi: { environment: "production", pixKey: "pix@prosa.example", hasKeys: true, webhookUrl: "https://prosa.example/e" },
  asaas: { environment: "sandbox", hasKeys: true, webhookUrl: "https://prosa.example/a" },
};

test("another provider is chosen with its own environment, not with that of the one before (F-03)", () => {
  const body = bodyOf({ ...valuesOf(stored), provider: "asaas" });
  expect(body).toMatchObject({ provider: "asaas", asaas: { environment: "sandbox" } });
  expect(body).not.toHaveProperty("efi");
  expect(bodyOf(valuesOf(stored))).toMatchObject({
    efi: { environment: "production", pixKey: "pix@prosa.example", clientSecret: "" },
  });
});
