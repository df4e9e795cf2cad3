import { auditActions, auditTargets, type AuditCheck, type AuditEntry, type AuditFilters } from "@prosa/contract/audit";
import { fieldName } from "@prosa/contract/fields.i18n";
import { useQuery } from "@tanstack/react-query";
import { Download, ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { colleaguesOptions } from "#web/features/users/index.ts";
import { recordMessages } from "#web/lib/records/records.i18n.ts";
import { pagingOf } from "#web/lib/records/resource.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Banner } from "#web/ui/Banner.ts";
import { Button } from "#web/ui/Button.tsx";
import { DateField } from "#web/ui/dates/DateField.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { auditActionMessages, auditActorMessages, auditTargetMessages } from "./audit-actions.i18n.ts";
import { downloadAudit, useAudit, useVerifyAudit } from "./audit.api.ts";
import { auditFieldMessages, auditValueMessages } from "./audit-details.i18n.ts";
import { auditMessages } from "./audit.i18n.ts";
import { detailLines, type Naming } from "./detail-lines.ts";
import { writtenOf } from "./written-value.ts";

const everything: AuditFilters = { userId: 0, action: "", targetType: "", targetId: "", dateFrom: "", dateTo: "" };

/** Settings → audit log: who did what from where, filtered, exported and verified (V-01). */
export function AuditTab() {
  const t = useMessages(auditMessages);
  const record = useMessages(recordMessages);
  const [typed, setTyped] = useState(everything);
  const [picked, setPicked] = useState<Named>();
  // A day counts once it is whole; the field keeps what is being typed.
  const filters = { ...typed, dateFrom: dayOrNone(typed.dateFrom), dateTo: dayOrNone(typed.dateTo) };
  const query = useAudit(filters);
  const pages = query.data?.pages ?? [];
  const check = pages[0]?.check;
  const verify = useVerifyAudit();
  const change = (changes: Partial<AuditFilters>) => setTyped((before) => ({ ...before, ...changes }));
  const columns = useColumns((who) => {
    setPicked(who);
    change({ userId: who.id });
  });
  return (
    <Screen>
      {check && <CheckBanner check={check} />}
      <Filters filters={typed} picked={picked} onChange={change} />
      <ListScreen
        isPart
        title={t("title")}
        columns={columns}
        rows={pages.flatMap(({ records }) => records)}
        {...pagingOf(query)}
        errorTitle={record("loadFailed")}
        moreActions={
          <>
            <Button
              icon={<ShieldCheck size={16} />}
              disabled={verify.isPending}
              onClick={() => verify.mutate(undefined, { onError: (error) => toast.failure(error) })}
            >
              {t("verify")}
            </Button>
            <Button
              icon={<Download size={16} />}
              onClick={() => void downloadAudit(filters).catch((error: unknown) => toast.failure(error))}
            >
              {t("export")}
            </Button>
          </>
        }
        empty={<EmptyState icon={<ShieldCheck />} title={t("empty")} text={t("emptyText")} />}
      />
    </Screen>
  );
}

function CheckBanner({ check: { fault, checkedAt, length } }: { readonly check: AuditCheck }) {
  const t = useMessages(auditMessages);
  const format = useFormat();
  if (fault) {
    return (
      <Banner role="alert">
        <ShieldAlert size={18} />
        <span>
          {t(`fault_${fault.kind}`, { seq: fault.seq })} {t("tell")}
        </span>
      </Banner>
    );
  }
  return (
    <Intact>
      <ShieldCheck size={16} aria-hidden />
      {checkedAt ? t("intact", { n: format.number(length), at: format.dateTime(checkedAt) }) : t("notYet")}
    </Intact>
  );
}

/** Somebody of the log: a person who was deleted since, or the support, is in no list of colleagues. */
interface Named {
  readonly id: number;
  readonly name: string;
}

interface FiltersProps {
  readonly filters: AuditFilters;
  /** Who was picked in a row last. */
  readonly picked: Named | undefined;
  readonly onChange: (changes: Partial<AuditFilters>) => void;
}

function Filters({ filters, picked, onChange }: FiltersProps) {
  const t = useMessages(auditMessages);
  const action = useMessages(auditActionMessages);
  const target = useMessages(auditTargetMessages);
  const { data: colleagues = [] } = useQuery(colleaguesOptions);
  const isOther = picked?.id === filters.userId && colleagues.every(({ id }) => id !== picked.id);
  const people: readonly Named[] = isOther ? [...colleagues, picked] : colleagues;
  return (
    <FilterRow>
      <SelectField
        label={t("person")}
        value={String(filters.userId)}
        onChange={({ target: { value } }) => onChange({ userId: Number(value) })}
      >
        <option value="0">{t("everybody")}</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("action")}
        value={filters.action}
        onChange={({ target: { value } }) => onChange({ action: value as AuditFilters["action"] })}
      >
        <option value="">{t("everything")}</option>
        {auditActions.map((each) => (
          <option key={each} value={each}>
            {action(each)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("target")}
        value={filters.targetType}
        onChange={({ target: { value } }) => onChange({ targetType: value as AuditFilters["targetType"] })}
      >
        <option value="">{t("everyTarget")}</option>
        {auditTargets.map((each) => (
          <option key={each} value={each}>
            {target(each)}
          </option>
        ))}
      </SelectField>
      <DateField
        label={t("dateFrom")}
        value={filters.dateFrom}
        onChange={({ target: { value } }) => onChange({ dateFrom: value })}
      />
      <DateField
        label={t("dateTo")}
        value={filters.dateTo}
        onChange={({ target: { value } }) => onChange({ dateTo: value })}
      />
    </FilterRow>
  );
}

/** While a day is typed its text is none yet. */
function dayOrNone(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : "";
}

function useColumns(onPick: (who: Named) => void): Column<AuditEntry>[] {
  const t = useMessages(auditMessages);
  const action = useMessages(auditActionMessages);
  const format = useFormat();
  return [
    { key: "at", title: t("when"), width: "152px", cell: ({ at }) => format.dateTime(at) },
    { key: "who", title: t("who"), width: "minmax(110px, 1fr)", cell: (entry) => <Who {...{ entry, onPick }} /> },
    { key: "what", title: t("what"), width: "minmax(120px, 1.2fr)", cell: (entry) => action(entry.action) },
    { key: "onWhat", title: t("onWhat"), width: "minmax(110px, 1.2fr)", cell: (entry) => <OnWhat entry={entry} /> },
    {
      key: "details",
      title: t("details"),
      width: "minmax(140px, 2fr)",
      cell: (entry) => <Details entry={entry} />,
    },
    {
      key: "from",
      title: t("from"),
      width: "minmax(90px, 0.8fr)",
      isWideOnly: true,
      cell: ({ address, userAgent }) => <span title={userAgent ?? undefined}>{address ?? "–"}</span>,
    },
  ];
}

/** A name is a button that filters by it. */
function Who({ entry, onPick }: { readonly entry: AuditEntry; readonly onPick: (who: Named) => void }) {
  const t = useMessages(auditMessages);
  const kind = useMessages(auditActorMessages);
  const { actorKind, userId, userName } = entry;
  const name = userName ?? kind(actorKind);
  const text = actorKind === "user" || userName === null ? name : `${name} · ${kind(actorKind)}`;
  return userId === null ? (
    <>{text}</>
  ) : (
    <Pick type="button" title={t("onlyOf", { name })} onClick={() => onPick({ id: userId, name: text })}>
      {text}
    </Pick>
  );
}

function OnWhat({ entry: { targetType, targetId, targetName, isErased } }: { readonly entry: AuditEntry }) {
  const t = useMessages(auditMessages);
  const target = useMessages(auditTargetMessages);
  if (targetType === null) {
    return <>–</>;
  }
  const name = targetName ?? (targetId === null ? "" : `#${targetId}`);
  return (
    <>
      {target(targetType)} {name} {isErased && <small>({t("erased")})</small>}
    </>
  );
}

function Details({ entry }: { readonly entry: AuditEntry }) {
  const own = namingOf(auditFieldMessages.pt, useMessages(auditFieldMessages));
  const language = useLanguage();
  // What forms call a field is its name here as well.
  const field: Naming = (code) =>
    Object.hasOwn(auditFieldMessages.pt, code) ? own(code) : (lowerFirst(fieldName(code, language)) ?? code);
  const named = namingOf(auditValueMessages.pt, useMessages(auditValueMessages));
  const format = useFormat();
  const value: Naming = (code) => writtenOf(code, format) ?? named(code);
  const text = detailLines(entry.details, field, value).join(", ");
  return <span title={text}>{text || "–"}</span>;
}

function lowerFirst(text: string | undefined): string | undefined {
  // Not of an abbreviation: CEP, URL.
  return text && /^\p{Lu}\p{Lu}/u.test(text) ? text : text && text[0]!.toLowerCase() + text.slice(1);
}

/** Codes in words; one without words stays as it is. */
function namingOf<Code extends string>(words: Readonly<Record<Code, string>>, t: (code: Code) => string): Naming {
  const isNamed = (code: string): code is Code => Object.hasOwn(words, code);
  return (code) => (isNamed(code) ? t(code) : code);
}

const Screen = styled("div")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  minHeight: 0,
  "& > section": { flex: 1, minHeight: 0 },
});

const Intact = styled("p")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: 0,
  padding: "10px 20px 0",
  fontSize: 13,
  color: color.ink2,
  backgroundColor: color.panel,
  "& > svg": { flex: "none" },
  [media.phone]: { padding: "10px 12px 0" },
});

const Pick = styled("button")({
  maxWidth: "100%",
  padding: 0,
  border: 0,
  background: "none",
  font: "inherit",
  color: "inherit",
  textAlign: "inherit",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  cursor: "pointer",
  "&:hover": { color: color.accent },
  [media.coarse]: { minHeight: size.finger },
});

const FilterRow = styled("div")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(150px, 1fr))",
  gap: 10,
  padding: "12px 20px 0",
  backgroundColor: color.panel,
  // the two days side by side
  [media.phone]: {
    gridTemplateColumns: "1fr 1fr",
    padding: "10px 12px 0",
    "& > :first-child": { gridColumn: "1 / -1" },
  },
});
