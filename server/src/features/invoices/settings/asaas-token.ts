import { changedFields, recordAuditOf } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import { accountsByProvider, saveAccount } from "./accounts.ts";
import { openKeys } from "./keys.ts";
import { lockBillingSettings } from "./settings.queries.ts";

type Tools = Pick<Services, "db" | "vault" | "clock">;

/** The API key of the operator's Asaas account by itself: what the specification calls the setting `asaas` (G-02, decision 0070). */
export const asaasToken = {
  async isSet({ db, vault }: Tools): Promise<boolean> {
    const account = (await db.systemTx(accountsByProvider)).get("asaas");
    return openKeys(vault, account)["apiKey"] !== undefined;
  },

  /**
   * Sets the key; an empty `token` removes it. By itself it charges nothing: the account needs the token of its webhook as well, and
   * to be chosen. `ownId`: the operator's company, whose audit log has it. Throws ERR_VALIDATION for removal while Asaas is chosen.
   */
  async save({ db, vault, clock }: Tools, ownId: number, token: string): Promise<void> {
    await db.systemTx(async (tx) => {
      const { provider } = await lockBillingSettings(tx);
      const account = (await accountsByProvider(tx)).get("asaas");
      const { apiKey = "", ...others } = openKeys(vault, account);
      if (apiKey === token) {
        return;
      }
      if (token === "" && provider === "asaas") {
        throw new AppError("ERR_VALIDATION", { fields: { value: "Required" } });
      }
      const keys = token === "" ? others : { ...others, apiKey: token };
      const { environment = "production", pix_key = "" } = account ?? {};
      await saveAccount(tx, vault, "asaas", account, { environment, pix_key, keys });
      const details = changedFields({ keysOfAsaas: { apiKey } }, { keysOfAsaas: keys }, ["keysOfAsaas"]) ?? {};
      const target = { type: "setting", id: "billing" } as const;
      await recordAuditOf(tx, { companyId: ownId, now: clock.now() }, { action: "settings.updated", target, details });
    });
  },
};
