import type { Db } from "#server/platform/db/index.ts";
import type { Services } from "#server/platform/services.ts";
import { createAsaas, createEfi } from "../providers/index.ts";
import type { CallRules, PixProvider, TlsIdentity } from "../providers/index.ts";
import { tlsOf } from "./certificate.ts";
import { asaasKeysOf, efiKeysOf } from "./keys.ts";
import { findAccounts } from "./settings.queries.ts";
import type { PaymentAccountRow, ProviderWithAccount } from "./settings.queries.ts";

/** Where the providers' APIs are: theirs, or in tests those of local servers, with their authority. */
export interface ProviderHosts {
  readonly efi: Readonly<Record<"production" | "sandbox", string>>;
  readonly asaas: Readonly<Record<"production" | "sandbox", string>>;
  readonly ca?: TlsIdentity["ca"];
  readonly rules?: CallRules;
}

export const realHosts: ProviderHosts = {
  efi: { production: "https://pix.api.efipay.com.br", sandbox: "https://pix-h.api.efipay.com.br" },
  asaas: { production: "https://api.asaas.com", sandbox: "https://api-sandbox.asaas.com" },
};

/** Opens a provider with the operator's keys; undefined while they are not set. Outside a transaction: it is for calls. */
export type OpenProvider = (name: ProviderWithAccount) => Promise<PixProvider | undefined>;

/** Keeps a provider, with its access token, until its keys change. */
export function createOpenProvider(
  { db, vault, clock }: Pick<Services, "vault" | "clock"> & { readonly db: Db },
  hosts: ProviderHosts,
): OpenProvider {
  const kept = new Map<ProviderWithAccount, { readonly account: string; readonly provider: PixProvider }>();
  const now = () => clock.now();

  function create(account: PaymentAccountRow): PixProvider | undefined {
    if (account.provider === "efi") {
      const keys = efiKeysOf(vault, account);
      const tls = keys && { ...tlsOf(keys.certificate), ...(hosts.ca !== undefined && { ca: hosts.ca }) };
      const baseUrl = hosts.efi[account.environment];
      return keys && tls && createEfi({ ...keys, baseUrl, tls, pixKey: account.pix_key }, now, hosts.rules);
    }
    const keys = asaasKeysOf(vault, account);
    return keys && createAsaas({ baseUrl: hosts.asaas[account.environment], apiKey: keys.apiKey }, now, hosts.rules);
  }

  return async (name) => {
    const account = (await db.systemTx(findAccounts)).find(({ provider }) => provider === name);
    if (!account) {
      return undefined;
    }
    const text = JSON.stringify(account);
    const known = kept.get(name);
    if (known?.account === text) {
      return known.provider;
    }
    const provider = create(account);
    if (provider) {
      kept.set(name, { account: text, provider });
    }
    return provider;
  };
}

/** Is this what the operator has entered at Asaas as the token of its webhook? */
export async function asaasWebhookToken({
  db,
  vault,
}: {
  db: Db;
  vault: Services["vault"];
}): Promise<string | undefined> {
  const account = (await db.systemTx(findAccounts)).find(({ provider }) => provider === "asaas");
  return asaasKeysOf(vault, account)?.webhookToken;
}
