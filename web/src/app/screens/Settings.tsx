import { styled } from "#web/ui/styled.ts";
import type { ComponentType } from "react";
import { useSearchParams } from "react-router";
import {
  OptionsTab,
  SchedulesTab,
  settingsMessages,
  settingsRealtime,
  useReloadSettings,
  useSetting,
} from "#web/features/settings/index.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { registerRealtime } from "#web/lib/realtime.ts";
import { Tabs } from "#web/ui/Tabs.tsx";
import { color, media } from "#web/ui/theme.ts";

registerRealtime(settingsRealtime);

interface SettingsTab {
  readonly key: string;
  readonly label: string;
  readonly panel: ComponentType;
}

/** /settings: a tab for everybody's options, one for the company's hours; the operator's plug in here (G-01). */
export function Settings() {
  const t = useMessages(settingsMessages);
  const tabs = useTabs();
  const reload = useReloadSettings();
  const [search, setSearch] = useSearchParams();
  const selected = tabs.find(({ key }) => key === search.get("tab")) ?? tabs[0];
  const Panel = selected?.panel;
  const select = (key: string) => {
    setSearch({ tab: key }, { replace: true });
    reload();
  };
  return (
    <Screen aria-label={t("title")}>
      <header>
        <h1>{t("title")}</h1>
        <Tabs label={t("title")} tabs={tabs} selected={selected?.key ?? ""} onSelect={select} />
      </header>
      <div>
        <section role="tabpanel" aria-label={selected?.label}>
          {Panel && <Panel />}
        </section>
      </div>
    </Screen>
  );
}

function useTabs(): SettingsTab[] {
  const t = useMessages(settingsMessages);
  const scheduleType = useSetting("scheduleType");
  return [
    { key: "options", label: t("tabOptions"), panel: OptionsTab },
    ...(scheduleType === "company" ? [{ key: "schedules", label: t("tabSchedules"), panel: SchedulesTab }] : []),
  ];
}

const Screen = styled("section")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  minHeight: 0,
  "& > header": { padding: "16px 20px 0", borderBottom: `1px solid ${color.line}`, backgroundColor: color.panel },
  "& h1": { fontSize: 18, fontWeight: 600 },
  "& [role=tablist]": { marginLeft: -10 },
  "& > div": { flex: 1, minHeight: 0, overflowY: "auto", padding: 20 },
  "& [role=tabpanel]": { maxWidth: 820 },
  [media.phone]: {
    "& > header": { padding: "12px 12px 0" },
    "& > div": { padding: 12 },
  },
});
