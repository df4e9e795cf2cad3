import { weekdaysEn } from "@prosa/contract/queues";
import type { LineRules, SendingRules as Rules } from "@prosa/contract/sending";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { localeOf, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { TimeField } from "#web/ui/dates/TimeField.tsx";
import { FieldRow } from "#web/ui/dialogs/FormDialog.tsx";
import { Switch, SwitchField } from "#web/ui/fields/Field.tsx";
import { isTime } from "#web/ui/dates/parse.ts";
import { useDiscardQuestion } from "#web/ui/dialogs/useDiscardQuestion.ts";
import { NumberField, NumberInput, saveReadable } from "#web/ui/fields/NumberField.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { SectionCard } from "#web/ui/SectionCard.ts";
import { sendingRulesOptions, useSaveSendingRules } from "./sending.api.ts";
import { sendingMessages } from "./sending.i18n.ts";

/** The section "Proteção do número": pace, work hours, and cap and warm-up of each line; for admins (P-03). */
export function SendingRules() {
  const t = useMessages(sendingMessages);
  const query = useQuery(sendingRulesOptions);
  const save = useSaveSendingRules();
  // Only what was changed here, of lines too: the rest may be deleted, or changed by colleagues, meanwhile.
  const [draft, setDraft] = useState<Draft>();
  // A number that cannot be read stands only in its field, which is new after "Cancelar".
  const [round, setRound] = useState(0);
  const discard = () => {
    setDraft(undefined);
    setRound(round + 1);
  };
  useDiscardQuestion(draft !== undefined, discard);
  if (query.error && !query.data) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <Skeleton style={{ width: "60%" }} />;
  }
  const hours = { ...query.data.hours, ...draft?.hours };
  const minGapSeconds = draft?.minGapSeconds ?? query.data.minGapSeconds;
  const lines = query.data.lines.map((line) => draft?.lines?.find((own) => own.whatsappId === line.whatsappId) ?? line);
  const change = (changes: Draft) => setDraft({ ...draft, ...changes });
  const changeHours = (changes: Partial<Rules["hours"]>) => change({ hours: { ...draft?.hours, ...changes } });
  const changeLine = (line: LineRules) =>
    change({ lines: [...(draft?.lines ?? []).filter((other) => other.whatsappId !== line.whatsappId), line] });
  const wrong = wrongOf(hours);
  const saveDraft = (changes: Draft) =>
    // One with another says whether hours are hours, so they go together.
    save.mutate({ ...changes, ...(changes.hours && { hours }) } as Partial<Rules>, {
      onSuccess: () => {
        // not what was changed meanwhile
        setDraft((now) => (now === draft ? undefined : now));
        toast.success(t("saved"));
      },
      onError: (error) => toast.failure(error),
    });

  return (
    <SectionCard key={round} aria-label={t("protection")}>
      <h2>{t("protection")}</h2>
      <p>{t("protectionHint")}</p>
      <NumberField
        label={t("minGap")}
        hint={t("minGapHint")}
        value={String(minGapSeconds)}
        onChange={({ target }) => change({ minGapSeconds: Math.max(1, Math.trunc(Number(target.value)) || 1) })}
      />
      <SwitchField
        label={t("hoursOn")}
        hint={t("hoursOnHint")}
        checked={hours.isOn}
        onChange={({ target }) => changeHours({ isOn: target.checked })}
      />
      {hours.isOn && (
        <>
          <FieldRow>
            <TimeField
              label={t("from")}
              value={hours.start}
              onChange={({ target }) => changeHours({ start: target.value })}
            />
            <TimeField
              label={t("to")}
              value={hours.end}
              error={wrong === "end" ? t("endBeforeStart") : undefined}
              onChange={({ target }) => changeHours({ end: target.value })}
            />
          </FieldRow>
          <Weekdays chosen={hours.weekdays} onChange={(weekdays) => changeHours({ weekdays })} />
          {wrong === "weekdays" && <small role="alert">{t("noWeekday")}</small>}
        </>
      )}
      <Lines lines={lines} onChange={changeLine} />
      <footer>
        {draft && <Button onClick={discard}>{t("cancel")}</Button>}
        <Button
          kind="primary"
          disabled={!draft || wrong !== undefined}
          isBusy={save.isPending}
          onClick={(event) => saveReadable(event, () => draft && saveDraft(draft))}
        >
          {t("save")}
        </Button>
      </footer>
    </SectionCard>
  );
}

/** What was changed of the rules, and of the hours. */
interface Draft extends Partial<Omit<Rules, "hours">> {
  readonly hours?: Partial<Rules["hours"]>;
}

function wrongOf(hours: Rules["hours"]): "end" | "weekdays" | undefined {
  if (!isTime(hours.start) || !isTime(hours.end) || hours.start >= hours.end) {
    return "end";
  }
  return hours.weekdays.length === 0 ? "weekdays" : undefined;
}

type Weekday = Rules["hours"]["weekdays"][number];

function Weekdays(props: { readonly chosen: readonly Weekday[]; readonly onChange: (chosen: Weekday[]) => void }) {
  const t = useMessages(sendingMessages);
  const language = useLanguage();
  // 2026-05-04 is a Monday, and the list begins with it.
  const nameOf = (index: number) =>
    new Intl.DateTimeFormat(localeOf[language], { weekday: "short", timeZone: "UTC" }).format(
      Date.UTC(2026, 4, 4 + index),
    );
  return (
    <Days>
      <legend>{t("weekdays")}</legend>
      {weekdaysEn.map((day, index) => (
        <label key={day}>
          <input
            type="checkbox"
            checked={props.chosen.includes(day)}
            onChange={({ target }) =>
              props.onChange(weekdaysEn.filter((each) => (each === day ? target.checked : props.chosen.includes(each))))
            }
          />
          <span>{nameOf(index)}</span>
        </label>
      ))}
    </Days>
  );
}

function Lines(props: { readonly lines: readonly LineRules[]; readonly onChange: (line: LineRules) => void }) {
  const t = useMessages(sendingMessages);
  if (props.lines.length === 0) {
    return <p>{t("noLines")}</p>;
  }
  return (
    <Table role="group" aria-label={t("lines")}>
      {props.lines.map((line) => (
        <Line key={line.whatsappId}>
          <div>
            <b>{line.name}</b>
            <Today line={line} />
          </div>
          <label>
            <span>{t("dailyCap")}</span>
            <NumberInput
              aria-label={t("dailyCapOf", { name: line.name })}
              placeholder={t("noCap")}
              value={line.dailyCap ?? ""}
              onChange={({ target }) => props.onChange({ ...line, dailyCap: capOf(target.value) })}
            />
          </label>
          <label>
            <span>{t("warmUp")}</span>
            <Switch
              aria-label={t("warmUpOf", { name: line.name })}
              checked={line.warmUp}
              onChange={({ target }) => props.onChange({ ...line, warmUp: target.checked })}
            />
          </label>
        </Line>
      ))}
    </Table>
  );
}

/** "12 conversas iniciadas de 45 pelo aquecimento · conectada há 3 dias" */
function Today({ line }: { readonly line: LineRules }) {
  const t = useMessages(sendingMessages);
  const { startedToday, warmUp, warmUpLimit, ageDays } = line;
  const started = t("startedToday", { count: startedToday });
  const limit = warmUp && warmUpLimit !== null ? ` ${t("warmUpLimit", { limit: warmUpLimit })}` : "";
  const age = ageDays === null ? "" : ` · ${t("ageDays", { count: ageDays })}`;
  return <small>{`${t("today")}: ${started}${limit}${age}`}</small>;
}

function capOf(text: string): number | null {
  const cap = Math.trunc(Number(text));
  return cap >= 1 ? Math.min(cap, 100_000) : null;
}

const Days = styled("fieldset")({
  display: "flex",
  flexWrap: "wrap",
  gap: "4px 14px",
  margin: 0,
  padding: 0,
  border: 0,
  "& legend": { padding: 0, marginBottom: 4, fontSize: 13, fontWeight: 500 },
  "& label": { display: "flex", alignItems: "center", gap: 6, minHeight: 32, cursor: "pointer" },
  [media.coarse]: { "& label": { minHeight: 44 } },
});
const Table = styled("div")({ display: "grid", gap: 0 });
const Line = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) 130px 110px",
  alignItems: "center",
  gap: 12,
  padding: "10px 0",
  borderTop: `1px solid ${color.line}`,
  "& > div": { display: "grid", minWidth: 0 },
  "& b": { fontWeight: 500, overflowWrap: "anywhere" },
  "& small, & label > span": { fontSize: 12, color: color.ink2 },
  "& label": { display: "grid", gap: 2, justifyItems: "start" },
  [media.phone]: { gridTemplateColumns: "minmax(0, 1fr) 110px", "& > div": { gridColumn: "1 / -1" } },
});
