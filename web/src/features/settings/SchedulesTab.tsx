import { styled } from "#web/ui/styled.ts";
import type { ScheduleDay } from "@prosa/contract/queues";
import { useState } from "react";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { useDiscardQuestion } from "#web/ui/dialogs/useDiscardQuestion.ts";
import { changedDays, hasTimesOnly, joinedDays, withDays } from "./schedule.ts";
import { ScheduleEditor } from "./ScheduleEditor.tsx";
import { useCompany, useSaveSchedules } from "./settings.api.ts";
import { settingsMessages } from "./settings.i18n.ts";
import { zoneName } from "./time-zones.ts";

/** The opening hours of the company, for all its queues; only where scheduleType is company (G-01, G-03). */
export function SchedulesTab() {
  const t = useMessages(settingsMessages);
  const language = useLanguage();
  const mayChange = isAdmin(useUser());
  const { data: company, error, refetch } = useCompany();
  const save = useSaveSchedules();
  const [opened] = useState(() => new Date());
  // The days that were changed here: colleagues may change the others meanwhile.
  const [draft, setDraft] = useState<ScheduleDay[]>();
  useDiscardQuestion(draft !== undefined, () => setDraft(undefined));
  if (error && !company) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (!company) {
    return <Skeleton style={{ width: "60%", marginTop: 24 }} />;
  }
  const week = withDays(company.schedules, draft ?? []);
  const change = (next: ScheduleDay[]) => setDraft(joinedDays(draft ?? [], changedDays(week, next)));
  const saveDraft = () =>
    save.mutate(
      { schedules: week },
      {
        onSuccess: () => {
          // not what was changed meanwhile
          setDraft((now) => (now === draft ? undefined : now));
          toast.success(t("schedulesSaved"));
        },
        onError: (error) => toast.failure(error),
      },
    );
  return (
    <Card>
      <p>{t("schedulesHint", { zone: zoneName(company.timeZone, language, opened) })}</p>
      <ScheduleEditor week={week} onChange={change} isReadOnly={!mayChange} />
      {mayChange && (
        <footer>
          {draft && <Button onClick={() => setDraft(undefined)}>{t("cancel")}</Button>}
          <Button
            kind="primary"
            disabled={draft === undefined || !hasTimesOnly(week)}
            isBusy={save.isPending}
            onClick={() => saveDraft()}
          >
            {t("save")}
          </Button>
        </footer>
      )}
    </Card>
  );
}

const Card = styled("section")({
  padding: "12px 16px",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.panel,
  "& > p": { marginBottom: 8, color: color.ink2 },
  "& > footer": { display: "flex", justifyContent: "flex-end", gap: 8, paddingTop: 12 },
});
