import { secretSettings, settingDefaults, settingKeys } from "@prosa/contract";
import type { SettingKey } from "@prosa/contract";

export interface SettingView {
  readonly key: string;
  readonly value: string;
}

/** Every setting, with its default where none was saved; of a secret only whether it is set. */
export function settingsView(rows: readonly SettingView[]): SettingView[] {
  const saved = new Map(rows.map(({ key, value }) => [key, value]));
  return settingKeys.map((key) => ({ key, value: maskSecret(key, saved.get(key) ?? settingDefaults[key]) }));
}

export function maskSecret(key: SettingKey, value: string): string {
  return secretSettings.includes(key) && value !== "" ? "set" : value;
}
