import type { BillingSettings } from "@prosa/contract/invoices";
import { expect, test } from "vitest";
import { bodyOf, hasFieldsOf, valuesOf } from "./billing-values.ts";

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

test("what is typed for a provider is known as its own, so that it is not lost where another one is chosen meanwhile (F-03)", () => {
  expect(hasFieldsOf("efi", { clientSecret: "segredo" })).toBe(true);
  expect(hasFieldsOf("asaas", { clientSecret: "segredo" })).toBe(false);
  expect(hasFieldsOf("asaas", { graceDays: 5, pixCity: "Olinda", asaasEnvironment: "production" })).toBe(true);
  expect(hasFieldsOf("efi", { graceDays: 5, pixCity: "Olinda" })).toBe(false);
});
