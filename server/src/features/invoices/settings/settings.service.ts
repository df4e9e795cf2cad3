import type { BillingSettings, BillingSettingsBody } from "@prosa/contract";
import { publishClosingChanged } from "#server/features/companies/index.ts";
import { changedFields, recordAuditOf } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { Services } from "#server/platform/services.ts";
import { accountsByProvider, saveAccount } from "./accounts.ts";
import { readCertificate } from "./certificate.ts";
import { asaasKeysOf, efiKeysOf, openKeys } from "./keys.ts";
import { findBillingSettings, lockBillingSettings, saveBillingSettings } from "./settings.queries.ts";
import type { PaymentAccountRow, ProviderWithAccount } from "./settings.queries.ts";
import { asaasWebhookUrl, efiWebhookUrl, REGISTER_TASK } from "./webhook-addresses.ts";

type Tools = Pick<Services, "db" | "vault" | "clock" | "signer" | "publicUrl">;

/** How the operator is paid; of keys only whether they are set. */
export async function getBillingSettings(tools: Tools): Promise<BillingSettings> {
  return tools.db.systemTx((tx) => settingsView(tools, tx));
}

/**
 * Saves how the operator is paid. Absent and empty keys stay. Throws ERR_VALIDATION where the chosen provider lacks a key, or a
 * certificate is unusable. `ownId`: the operator's company, whose audit log has it. A changed grace period holds at once for every company.
 */
export async function saveBillingSettingsOf(
  tools: Tools,
  ownId: number,
  body: BillingSettingsBody,
): Promise<BillingSettings> {
  const { db, vault, clock } = tools;
  return db.systemTx(async (tx) => {
    const before = await lockBillingSettings(tx);
    const accounts = await accountsByProvider(tx);
    if (body.efi) {
      const { environment, pixKey, certificate, clientId, clientSecret } = body.efi;
      const given = entered({ clientId, clientSecret });
      const read = certificate ? { certificate: readCertificate(certificate) } : {};
      await merge("efi", { environment, pix_key: pixKey }, { ...given, ...read });
    }
    if (body.asaas) {
      const { environment, apiKey, webhookToken } = body.asaas;
      await merge("asaas", { environment, pix_key: "" }, entered({ apiKey, webhookToken }));
    }
    const saved = await accountsByProvider(tx);
    requireKeys(body.provider, saved);
    await saveBillingSettings(
      tx,
      {
        grace_days: body.graceDays,
        provider: body.provider,
        pix_key: body.pixKey,
        pix_name: body.pixName,
        pix_city: body.pixCity,
      },
      clock.now(),
    );
    const { graceDays, provider, pixKey, pixName, pixCity, efi, asaas } = body;
    const after = {
      ...{ grace_days: graceDays, provider, pix_key: pixKey, pix_name: pixName, pix_city: pixCity },
      keysOfEfi: Object.values(efi ?? {}).join(""),
      keysOfAsaas: Object.values(asaas ?? {}).join(""),
    };
    const details = changedFields({ ...before }, after, ["keysOfEfi", "keysOfAsaas"]);
    if (details) {
      const target = { type: "setting", id: "billing" } as const;
      await recordAuditOf(tx, { companyId: ownId, now: clock.now() }, { action: "settings.updated", target, details });
    }
    if (body.graceDays !== before.grace_days) {
      await publishClosingChanged(tx);
    }
    if (body.provider === "efi") {
      tx.enqueue(null, { task: REGISTER_TASK, payload: {}, key: REGISTER_TASK, runAt: clock.now() });
    }
    return settingsView(tools, tx);

    async function merge(
      provider: ProviderWithAccount,
      fields: Pick<PaymentAccountRow, "environment" | "pix_key">,
      given: object,
    ): Promise<void> {
      const account = accounts.get(provider);
      await saveAccount(tx, vault, provider, account, { ...fields, keys: { ...openKeys(vault, account), ...given } });
    }
  });

  function requireKeys(
    provider: BillingSettingsBody["provider"],
    saved: ReadonlyMap<ProviderWithAccount, PaymentAccountRow>,
  ): void {
    const efi = saved.get("efi");
    if (provider === "efi" && (!efiKeysOf(vault, efi) || efi?.pix_key === "")) {
      throw new AppError("ERR_VALIDATION", { fields: { provider: "Required" } });
    }
    if (provider === "asaas" && !asaasKeysOf(vault, saved.get("asaas"))) {
      throw new AppError("ERR_VALIDATION", { fields: { provider: "Required" } });
    }
  }
}

async function settingsView(tools: Tools, tx: SystemTx): Promise<BillingSettings> {
  const row = await findBillingSettings(tx);
  const accounts = await accountsByProvider(tx);
  const [efi, asaas] = [accounts.get("efi"), accounts.get("asaas")];
  return {
    graceDays: row.grace_days,
    provider: row.provider,
    pixKey: row.pix_key,
    pixName: row.pix_name,
    pixCity: row.pix_city,
    efi: {
      environment: efi?.environment ?? "production",
      pixKey: efi?.pix_key ?? "",
      hasKeys: efiKeysOf(tools.vault, efi) !== undefined,
      webhookUrl: efiWebhookUrl(tools),
    },
    asaas: {
      environment: asaas?.environment ?? "production",
      hasKeys: asaasKeysOf(tools.vault, asaas) !== undefined,
      webhookUrl: asaasWebhookUrl(tools),
    },
  };
}

/** The keys that were entered. */
function entered(keys: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(keys).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
}
