import { operatorSettings, settingDefaults, settingKeys, settingValues } from "@prosa/contract";
import type { CompanySettingKey, SettingKey } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached, SystemTx } from "#server/platform/db/index.ts";
import { compileGuestInput } from "#server/platform/http/index.ts";
import type { GuestInput } from "#server/platform/http/index.ts";
import { settingSaved } from "./settings.events.ts";
import { findSettings, saveSettingRow, saveSettingRowOf } from "./settings.queries.ts";
import { settingsView } from "./settings.view.ts";
import type { SettingView } from "./settings.view.ts";

/** Some clients of the family write true where a setting is enabled. */
const valueInputs = Object.fromEntries(
  settingKeys.map((key) => [key, compileGuestInput(settingValues[key])]),
) as Record<SettingKey, GuestInput>;

/** How people sign in, and what erases: not the support's. */
const closedToSupport: readonly SettingKey[] = ["requireTwoFactor", "retentionDays"];

const savedSettings: Cached<ReadonlyMap<string, string>> = {
  name: "settings",
  staleAfter: ["setting.saved"],
  load: async (ctx) => new Map((await findSettings(ctx)).map(({ key, value }) => [key, value])),
};

/** The value of a setting, or its default; cached, so cheap enough for every message. */
export async function settingOf(ctx: Ctx, key: CompanySettingKey): Promise<string> {
  return (await ctx.cached(savedSettings)).get(key) ?? settingDefaults[key];
}

/** Is a setting with the values enabled / disabled (or true / false) on? */
export async function isEnabled(ctx: Ctx, key: CompanySettingKey): Promise<boolean> {
  return ["enabled", "true"].includes(await settingOf(ctx, key));
}

export async function listSettings(ctx: Ctx): Promise<SettingView[]> {
  const saved = await ctx.cached(savedSettings);
  return settingsView([...saved].map(([key, value]) => ({ key, value })));
}

/**
 * Changes one setting of the company. Throws ERR_NO_SETTING_FOUND, ERR_NO_PERMISSION for one that is the operator's, or
 * ERR_VALIDATION for a value that the key may not hold (G-02).
 */
export async function saveSetting(ctx: Ctx, name: string, value: string): Promise<SettingView> {
  const key = settingKeys.find((known) => known === name);
  if (key === undefined) {
    throw new AppError("ERR_NO_SETTING_FOUND", { key: name });
  }
  if (operatorSettings.includes(key) && ctx.actor.kind === "user" && !ctx.actor.isSuper) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  if (key === "requireTwoFactor" && ctx.actor.kind === "user" && ctx.actor.apiKey) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  if (closedToSupport.includes(key) && ctx.actor.kind === "user" && ctx.actor.support) {
    throw new AppError("ERR_SUPPORT_REFUSED");
  }
  const parsed = settingValues[key].safeParse(valueInputs[key](value, "UTC"));
  if (!parsed.success) {
    throw new AppError("ERR_VALIDATION", { fields: { value: parsed.error.issues[0]?.message ?? "Invalid" } });
  }

  const before = (await ctx.cached(savedSettings)).get(key) ?? settingDefaults[key];
  await saveSettingRow(ctx, key, parsed.data);
  ctx.emit(settingSaved(key));
  if (before !== parsed.data) {
    const details = { from: before, to: parsed.data };
    const isDemanded = key === "requireTwoFactor" && parsed.data === "enabled";
    const action = isDemanded ? "two-factor.required" : "settings.updated";
    await recordAudit(ctx, { action, target: { type: "setting", id: key, name: key }, details });
  }
  return { key, value: parsed.data };
}

/** Lets a company use campaigns, or not: a setting of the operator (Y-01). */
export async function saveCampaignsEnabled(tx: SystemTx, companyId: number, isEnabled: boolean): Promise<void> {
  await saveSettingRowOf(tx, companyId, "campaignsEnabled", String(isEnabled));
  tx.emit(companyId, settingSaved("campaignsEnabled"));
}
