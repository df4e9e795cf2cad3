import { expect, test } from "vitest";
import { createVault } from "#server/platform/auth/index.ts";
import { asaasKeysOf, openKeys, sealKeys } from "./keys.ts";

test("keys that were sealed with a lost secret key count as missing, so that the operator can enter them again (F-03)", () => {
  const keys = { apiKey: "a", webhookToken: "w" };
  const sealed = sealKeys(createVault(["k".repeat(32)]), "asaas", keys);
  const account = { provider: "asaas", environment: "production", pix_key: "", sealed } as const;
  expect(openKeys(createVault(["k".repeat(32)]), account)).toEqual(keys);
  expect(openKeys(createVault(["o".repeat(32)]), account)).toEqual({});
  expect(asaasKeysOf(createVault(["o".repeat(32)]), account)).toBeUndefined();
});
