import { Select } from "#web/ui/select/Select.tsx";
import { styled } from "#web/ui/styled.ts";
import { settingDefaults, type CompanySettingKey } from "@prosa/contract/settings";
import { useState, type ReactNode } from "react";
import { Link } from "#web/lib/routing/router.tsx";
import { languageNames, languages, useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Switch } from "#web/ui/fields/Field.tsx";
import { NumberInput } from "#web/ui/fields/NumberField.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { AccountOption } from "./AccountOption.tsx";
import { OptionGroup, OptionRow } from "./OptionRow.tsx";
import { useCompany, useSaveLocale, useSaveSetting, useSetting, useSettings } from "./settings.api.ts";
import { settingsMessages } from "./settings.i18n.ts";
import { zonesFor } from "./time-zones.ts";

/** Every setting with a line of explanation and its control; a change is saved at once (G-01, G-02). */
export function OptionsTab() {
  const t = useMessages(settingsMessages);
  const user = useUser();
  const query = useSettings();
  const mayChange = isAdmin(user);
  if (query.error && !query.data) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <LoadingOptions />;
  }
  return (
    <Groups disabled={!mayChange}>
      {!mayChange && <p>{t("adminsOnly")}</p>}
      <OptionGroup title={t("groupService")}>
        <SwitchOption name="userRating" />
        <SwitchOption name="sendGreetingAccepted" />
        <SwitchOption name="sendMsgTransfTicket" />
        <MinutesOption name="reopenToAgentMinutes" />
        <SwitchOption name="call" />
        <SwitchOption name="CheckMsgIsGroup" />
        <SwitchOption name="linkPreviews" />
        <SwitchOption name="requireTwoFactor" />
      </OptionGroup>
      <OptionGroup title={t("groupBot")}>
        <ScheduleOption />
        <SwitchOption name="sendGreetingMessageOneQueues" />
        <ChoiceOption name="chatBotType" hint={t("chatBotTypeHint")} choices={{ text: t("chatBotType_text") }} />
      </OptionGroup>
      <CompanyOptions />
      {/* the payer's own, closed to the support */}
      {mayChange && !user.support && (
        <OptionGroup title={t("groupBilling")}>
          <AccountOption />
          {user.super && <SwitchOption name="userCreation" />}
        </OptionGroup>
      )}
    </Groups>
  );
}

type SwitchKey =
  | "userRating"
  | "sendGreetingAccepted"
  | "sendMsgTransfTicket"
  | "call"
  | "CheckMsgIsGroup"
  | "linkPreviews"
  | "requireTwoFactor"
  | "sendGreetingMessageOneQueues"
  | "campaignsEnabled"
  | "userCreation";

function SwitchOption({ name }: { readonly name: SwitchKey }) {
  const t = useMessages(settingsMessages);
  const [value, save] = useOption(name);
  const [on, off] = name === "campaignsEnabled" ? ["true", "false"] : ["enabled", "disabled"];
  return (
    <OptionRow label={t(name)} hint={t(`${name}Hint`)}>
      {(control) => (
        <Switch {...control} checked={value === on} onChange={() => save(value === on ? (off ?? "") : (on ?? ""))} />
      )}
    </OptionRow>
  );
}

/** Whose opening hours count, and where they are set. */
function ScheduleOption() {
  const t = useMessages(settingsMessages);
  const type = useSetting("scheduleType");
  const place = { queue: "/queues", company: "/settings?tab=schedules" }[type];
  return (
    <ChoiceOption
      name="scheduleType"
      hint={
        place === undefined ? (
          t("hoursNone")
        ) : (
          <>
            {t("hoursHint")} <Link to={place}>{t(type === "queue" ? "hoursOfQueues" : "hoursOfCompany")}</Link>
          </>
        )
      }
      choices={{
        disabled: t("scheduleType_disabled"),
        queue: t("scheduleType_queue"),
        company: t("scheduleType_company"),
      }}
    />
  );
}

function ChoiceOption(props: {
  readonly name: "scheduleType" | "chatBotType";
  readonly hint: ReactNode;
  readonly choices: Readonly<Record<string, string>>;
}) {
  const t = useMessages(settingsMessages);
  const { name, hint, choices } = props;
  const [value, save] = useOption(name);
  return (
    <OptionRow label={t(name)} hint={hint}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => save(event.target.value)}>
          {Object.entries(choices).map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </OptionRow>
  );
}

/** Saves on blur and on Enter. An empty field is 0; what is no number of minutes stays, and says why it was not saved. */
function MinutesOption({ name }: { readonly name: "reopenToAgentMinutes" }) {
  const t = useMessages(settingsMessages);
  const [value, save] = useOption(name);
  const [draft, setDraft] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  const change = (typed: string) => {
    setDraft(typed);
    setRefused(false);
  };
  const leave = () => {
    if (draft === undefined) {
      return;
    }
    const minutes = draft.trim() === "" ? "0" : draft.trim();
    if (!/^\d{1,5}$/u.test(minutes)) {
      setRefused(true);
      return;
    }
    setDraft(undefined);
    if (minutes !== value) {
      save(minutes);
    }
  };
  return (
    <OptionRow label={t(name)} hint={t(`${name}Hint`)}>
      {(control) => (
        <NumberInput
          {...control}
          value={draft ?? value}
          error={isRefused ? t("minutesRange") : undefined}
          onChange={(event) => change(event.target.value)}
          onBlur={leave}
          onKeyDown={(event) => event.key === "Enter" && leave()}
        />
      )}
    </OptionRow>
  );
}

/** The company's time zone, language and campaigns. */
function CompanyOptions() {
  const t = useMessages(settingsMessages);
  const user = useUser();
  const { data: company } = useCompany();
  const save = useSaveLocale();
  const [opened] = useState(() => new Date());
  if (!company) {
    return null;
  }
  const pending = save.isPending ? save.variables : undefined;
  const timeZone = pending?.timeZone ?? company.timeZone;
  const language = pending?.language ?? company.language;
  const change = (changes: Partial<Pick<typeof company, "timeZone" | "language">>) =>
    save.mutate(changes, { onSuccess: () => toast.success(t("saved")), onError: (error) => toast.failure(error) });
  const zones = zonesFor(timeZone, opened);
  return (
    <OptionGroup title={t("groupCompany")}>
      <OptionRow label={t("timeZone")} hint={t("timeZoneHint")}>
        {(control) => (
          <Select {...control} value={timeZone} onChange={(event) => change({ timeZone: event.target.value })}>
            {(["brazil", "world"] as const).map((part) => (
              <optgroup key={part} label={t(part === "brazil" ? "zonesBrazil" : "zonesWorld")}>
                {zones[part].map(({ name, label }) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        )}
      </OptionRow>
      <OptionRow label={t("language")} hint={t("languageHint")}>
        {(control) => (
          <Select
            {...control}
            value={language}
            onChange={(event) => change({ language: languages.find((each) => each === event.target.value) ?? "pt" })}
          >
            {languages.map((each) => (
              <option key={each} value={each}>
                {languageNames[each]}
              </option>
            ))}
          </Select>
        )}
      </OptionRow>
      {user.super && <SwitchOption name="campaignsEnabled" />}
    </OptionGroup>
  );
}

/** The value of a setting, and a function that saves it and shows a toast. */
function useOption(key: CompanySettingKey): readonly [string, (value: string) => void] {
  const t = useMessages(settingsMessages);
  const { data } = useSettings();
  const save = useSaveSetting();
  const value = data?.find((setting) => setting.key === key)?.value ?? settingDefaults[key];
  return [
    value,
    // By the promise: `mutate` tells nothing once the tab is left, and the choice would look saved.
    (changed) =>
      void save.mutateAsync({ key, value: changed }).then(
        () => toast.success(t("saved")),
        (error: unknown) => toast.failure(error),
      ),
  ];
}

function LoadingOptions() {
  return (
    <Bars>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} style={{ width: `${90 - index * 6}%` }} />
      ))}
    </Bars>
  );
}

const Groups = styled("fieldset")({
  display: "flex",
  flexDirection: "column",
  gap: 24,
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  "& > p": {
    padding: "10px 14px",
    borderRadius: 8,
    backgroundColor: color.note,
    border: `1px solid ${color.noteLine}`,
  },
});
const Bars = styled("div")({ display: "flex", flexDirection: "column", gap: 28, padding: "24px 0" });
