import { isDeepStrictEqual } from "node:util";
import type { Vault } from "#server/platform/auth/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { openKeys, sealKeys } from "./keys.ts";
import { endLiveCharges, findAccounts, savePaymentAccount } from "./settings.queries.ts";
import type { PaymentAccountRow, ProviderWithAccount } from "./settings.queries.ts";

/** What the operator sets of an account; `keys` are all that it has from now on. */
interface PaymentAccount extends Pick<PaymentAccountRow, "environment" | "pix_key"> {
  readonly keys: Readonly<Record<string, unknown>>;
}

/** The operator's accounts; one that was never filled in is absent. */
export async function accountsByProvider(tx: SystemTx): Promise<Map<ProviderWithAccount, PaymentAccountRow>> {
  return new Map((await findAccounts(tx)).map((account) => [account.provider, account]));
}

/** Saves an account in place of `before`. Where that was paid to another one, its codes end. */
export async function saveAccount(
  tx: SystemTx,
  vault: Vault,
  provider: ProviderWithAccount,
  before: PaymentAccountRow | undefined,
  account: PaymentAccount,
): Promise<void> {
  const { environment, pix_key, keys } = account;
  const sealed = Object.keys(keys).length === 0 ? "" : sealKeys(vault, provider, keys);
  await savePaymentAccount(tx, { provider, environment, pix_key, sealed });
  if (before && !isDeepStrictEqual(identityOf({ ...before, keys: openKeys(vault, before) }), identityOf(account))) {
    await endLiveCharges(tx, provider);
  }
}

/** What decides to whom a charge is paid, and who is asked about it. */
function identityOf({ environment, pix_key, keys }: PaymentAccount) {
  return { environment, pix_key, ...keys, webhookToken: undefined };
}
