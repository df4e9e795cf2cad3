export { OptionsTab } from "./OptionsTab.tsx";
export { changedDays, withDays } from "./schedule.ts";
export { ScheduleEditor } from "./ScheduleEditor.tsx";
export { SchedulesTab } from "./SchedulesTab.tsx";
export { settingsRealtime, useReloadSettings, useSaveSetting, useSetting } from "./settings.api.ts";
export { settingsMessages } from "./settings.i18n.ts";
