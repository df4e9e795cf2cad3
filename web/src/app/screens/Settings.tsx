import { styled } from "#web/ui/styled.ts";
import { lazy, Suspense, type ComponentType } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { mayLeave } from "#web/lib/browser/leave-guard.ts";
import { useSearchParams } from "#web/lib/routing/location.ts";
// Not lazy, unlike the others: the shell has most of it anyway, and one more chunk would make the first load larger.
import { VersionNotice } from "#web/features/connections/index.ts";
import {
  OptionsTab,
  SchedulesTab,
  settingsMessages,
  settingsRealtime,
  useReloadSettings,
  useSetting,
} from "#web/features/settings/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { ProgressBar } from "#web/ui/states.tsx";
import { PanelTabs, TabList, TabPanel } from "#web/ui/PanelTabs.tsx";
import { color, media } from "#web/ui/theme.ts";
import { settingsTabLabels, settingsTabsOf, type SettingsTabKey } from "./settingsTabs.ts";

registerRealtime(settingsRealtime);

const CompaniesTab = lazy(async () => {
  const companies = await import("#web/features/companies/index.ts");
  registerRealtime(companies.companiesRealtime);
  return { default: companies.CompaniesTab };
});
const BillingTab = lazy(async () => ({ default: (await import("#web/features/invoices/index.ts")).BillingTab }));
const PlansTab = lazy(async () => ({ default: (await import("#web/features/plans/index.ts")).PlansTab }));
const HelpsTab = lazy(async () => ({ default: (await import("#web/features/helps/index.ts")).HelpsTab }));
const DeadJobsTab = lazy(async () => ({ default: (await import("#web/features/dead-jobs/index.ts")).DeadJobsTab }));
const DoctorTab = lazy(async () => ({ default: (await import("#web/features/doctor/index.ts")).DoctorTab }));
const AuditTab = lazy(async () => ({ default: (await import("#web/features/audit/index.ts")).AuditTab }));
const PrivacyTab = lazy(async () => {
  const privacy = await import("#web/features/privacy/index.ts");
  registerRealtime(privacy.retentionRealtime);
  return { default: privacy.PrivacyTab };
});
// Here for companies without campaigns as well: schedules pass the gate, too.
const ProtectionTab = lazy(async () => ({
  default: (await import("#web/features/sending/index.ts")).SendingRules,
}));
const ApiKeysTab = lazy(async () => ({ default: (await import("#web/features/api-keys/index.ts")).ApiKeysTab }));
const WebhooksTab = lazy(async () => {
  const webhooks = await import("#web/features/webhooks/index.ts");
  registerRealtime(webhooks.webhooksRealtime);
  return { default: webhooks.WebhooksTab };
});
const WarmUpTab = lazy(async () => ({ default: (await import("#web/features/sending/index.ts")).WarmUpTab }));
const StorageNotice = lazyOrNothing(async () => (await import("#web/features/storage/index.ts")).StorageNotice);

interface SettingsTab {
  readonly key: SettingsTabKey;
  readonly label: string;
  readonly panel: ComponentType;
  /** A list screen, which has its own head and scroller. */
  readonly isList: boolean;
}

const panels: Readonly<Record<SettingsTabKey, ComponentType>> = {
  options: OptionsTab,
  schedules: SchedulesTab,
  protection: ProtectionTab,
  "api-keys": ApiKeysTab,
  webhooks: WebhooksTab,
  audit: AuditTab,
  privacy: PrivacyTab,
  companies: CompaniesTab,
  billing: BillingTab,
  plans: PlansTab,
  helps: HelpsTab,
  "warm-up": WarmUpTab,
  "dead-jobs": DeadJobsTab,
  doctor: DoctorTab,
};
const forms: readonly SettingsTabKey[] = ["options", "schedules", "protection", "warm-up", "doctor"];

/** /settings: tabs for options and opening hours; the operator has more (G-01). */
export function Settings() {
  const t = useMessages(settingsMessages);
  const tabs = useTabs();
  const reload = useReloadSettings();
  const isOperator = useUser().super;
  const [search, setSearch] = useSearchParams();
  const selected = tabs.find(({ key }) => key === search.get("tab")) ?? tabs[0];
  const Panel = selected?.panel;
  const select = async (key: string) => {
    if (key !== selected?.key && (await mayLeave())) {
      setSearch({ tab: key }, { replace: true });
      reload();
    }
  };
  return (
    <Screen aria-label={t("title")}>
      <PanelTabs selected={selected?.key ?? ""} onSelect={(key) => void select(key)}>
        <header>
          <h1>{t("title")}</h1>
          <TabList label={t("title")} tabs={tabs} />
        </header>
        {isOperator && <VersionNotice />}
        <Suspense>{isOperator && <StorageNotice />}</Suspense>
        {/* each tab has a scroller of its own, so that it opens at its top */}
        <div key={selected?.key} data-list={selected?.isList || undefined}>
          <TabPanel value={selected?.key ?? ""}>
            <Suspense fallback={<ProgressBar label={t("loading")} />}>{Panel && <Panel />}</Suspense>
          </TabPanel>
        </div>
      </PanelTabs>
    </Screen>
  );
}

function useTabs(): SettingsTab[] {
  const t = useMessages(settingsMessages);
  const scheduleType = useSetting("scheduleType");
  return settingsTabsOf(useUser(), scheduleType).map((key) => ({
    key,
    label: t(settingsTabLabels[key]),
    panel: panels[key],
    isList: !forms.includes(key),
  }));
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
  "& > div[data-list]": { padding: 0, overflow: "hidden" },
  "& > div[data-list] > [role=tabpanel]": { maxWidth: "none", height: "100%" },
  [media.phone]: {
    "& > header": { padding: "12px 12px 0" },
    "& > div:not([data-list])": { padding: 12 },
  },
});
