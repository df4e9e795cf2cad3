export { isEnabled, listSettings, saveCampaignsEnabled, saveSetting, settingOf } from "./settings.service.ts";
export { settingsView } from "./settings.view.ts";
export type { SettingView } from "./settings.view.ts";
