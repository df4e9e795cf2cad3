import { z } from "zod";
import { openUnlessLost } from "#server/platform/auth/index.ts";
import type { Vault } from "#server/platform/auth/index.ts";
import { sealContext } from "./settings.queries.ts";
import type { PaymentAccountRow } from "./settings.queries.ts";

const efiKeys = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  certificate: z.union([z.object({ pem: z.string() }), z.object({ p12: z.string() })]),
});
const asaasKeys = z.object({ apiKey: z.string(), webhookToken: z.string() });

export type EfiKeys = z.output<typeof efiKeys>;
export type AsaasKeys = z.output<typeof asaasKeys>;

/** The decrypted keys, some of which may be missing while the operator enters them. Where the secret key was lost all are. */
export function openKeys(vault: Vault, account: PaymentAccountRow | undefined): Readonly<Record<string, unknown>> {
  const { sealed = "", provider = "" } = account ?? {};
  if (sealed === "") {
    return {};
  }
  const text = openUnlessLost(() => vault.openText(sealed, sealContext(provider)));
  return text === undefined ? {} : (JSON.parse(text) as Record<string, unknown>);
}

export function sealKeys(vault: Vault, provider: string, keys: object): string {
  return vault.sealText(JSON.stringify(keys), sealContext(provider));
}

/** Undefined while any is missing. */
export function efiKeysOf(vault: Vault, account: PaymentAccountRow | undefined): EfiKeys | undefined {
  return efiKeys.safeParse(openKeys(vault, account)).data;
}

/** Undefined while any is missing. */
export function asaasKeysOf(vault: Vault, account: PaymentAccountRow | undefined): AsaasKeys | undefined {
  return asaasKeys.safeParse(openKeys(vault, account)).data;
}
