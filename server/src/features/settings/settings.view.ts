import { secretSettings, settingDefaults, settingKeys } from "@prosa/contract";

export interface SettingView {
  readonly key: string;
  readonly value: string;
}

/** Every setting, with its default where none was saved. Secrets are none of a company's rows; earlier releases have left some. */
export function settingsView(rows: readonly SettingView[]): SettingView[] {
  const saved = new Map(rows.map(({ key, value }) => [key, value]));
  return settingKeys.map((key) => ({
    key,
    value: secretSettings.includes(key) ? "" : (saved.get(key) ?? settingDefaults[key]),
  }));
}
