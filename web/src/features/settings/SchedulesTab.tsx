import { styled } from "#web/ui/styled.ts";
import type { ScheduleDay } from "@prosa/contract/queues";
import { useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { ScheduleEditor } from "./ScheduleEditor.tsx";
import { useCompany, useSaveSchedules } from "./settings.api.ts";
import { settingsMessages } from "./settings.i18n.ts";
import { zoneText } from "./time-zones.ts";

/** The opening hours of the company, for all its queues; only where scheduleType is company (G-01, G-03). */
export function SchedulesTab() {
  const t = useMessages(settingsMessages);
  const mayChange = isAdmin(useUser());
  const { data: company, error, refetch } = useCompany();
  const save = useSaveSchedules();
  const [draft, setDraft] = useState<ScheduleDay[]>();
  if (error && !company) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (!company) {
    return <Skeleton style={{ width: "60%", marginTop: 24 }} />;
  }
  const saveDraft = (schedules: ScheduleDay[]) =>
    save.mutate(
      { schedules },
      {
        onSuccess: () => {
          // not what was changed meanwhile
          setDraft((now) => (now === schedules ? undefined : now));
          toast.success(t("schedulesSaved"));
        },
        onError: (error) => toast.failure(error),
      },
    );
  return (
    <Card>
      <p>{t("schedulesHint", { zone: zoneText(company.timeZone) })}</p>
      <ScheduleEditor week={draft ?? company.schedules} onChange={setDraft} isReadOnly={!mayChange} />
      {mayChange && (
        <footer>
          {draft && <Button onClick={() => setDraft(undefined)}>{t("cancel")}</Button>}
          <Button
            kind="primary"
            disabled={draft === undefined}
            isBusy={save.isPending}
            onClick={() => draft && saveDraft(draft)}
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
