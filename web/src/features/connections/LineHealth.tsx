import { healthAt, type Connection, type LineDay } from "@prosa/contract/connections";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ChartTable } from "#web/ui/ChartTable.tsx";
import { HistoryList } from "#web/ui/dialogs/HistoryDialog.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { lineHealthOptions } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";
import { lineHealthMessages } from "./line-health.i18n.ts";
import { causeKey, healthCounts, signalText } from "./line-health.ts";
import { useHealthText } from "./useHealthText.ts";

const HealthChart = lazyOrNothing(async () => (await import("./HealthChart.tsx")).HealthChart);

/** The health of a line: the sentence, its last 30 days as a chart, and what happened (P-04). */
export function LineHealth({ connection, onClose }: { readonly connection: Connection; readonly onClose: () => void }) {
  const t = useMessages(lineHealthMessages);
  const reasons = useMessages(connectionMessages);
  const format = useFormat();
  const { text } = useHealthText(connection);
  const { data, error, refetch } = useQuery(lineHealthOptions(connection.id));
  const at = useOfMinute((now) => now);
  const { cause, quota, state } = healthAt(connection.health, new Date(at));
  const causeText = causeKey(cause);
  const hasShare = state === "good" && quota !== null && quota.used !== null && quota.total !== null;

  return (
    <InfoDialog title={`${t("title")} · ${connection.name}`} width="md" onClose={onClose}>
      <Lead role="status">
        {text}
        {causeText && <> {t(causeText)}</>}
        {hasShare && (
          <>
            {" "}
            {t("quota", {
              share: t("share", { used: format.number(quota.used ?? 0), total: format.number(quota.total ?? 0) }),
            })}
          </>
        )}
      </Lead>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton style={{ height: 200 }} />
      ) : (
        <>
          <Days days={data.days} />
          <Part aria-label={t("signals")}>
            <h3>{t("signals")}</h3>
            {data.signals.length === 0 ? (
              <p>{t("noSignals")}</p>
            ) : (
              <HistoryList
                entries={data.signals.map((signal) => {
                  const { title, text: detail, reason, share, tone } = signalText(signal);
                  const words = detail ? t(detail) : reason ? reasons(reason) : share && t("share", share);
                  return { at: signal.at, title: t(title), tone, ...(words && { text: words }) };
                })}
              />
            )}
          </Part>
        </>
      )}
    </InfoDialog>
  );
}

function Days({ days }: { readonly days: readonly LineDay[] }) {
  const t = useMessages(lineHealthMessages);
  const format = useFormat();
  const eventful = days.filter((day) => healthCounts.some((count) => day[count] > 0));
  return (
    <Part aria-label={t("days")}>
      <h3>{t("days")}</h3>
      {eventful.length === 0 ? (
        <p>{t("nothing")}</p>
      ) : (
        <>
          <Suspense fallback={<Skeleton style={{ height: 200 }} />}>
            <HealthChart days={days} />
          </Suspense>
          <ChartTable
            summary={t("asTable")}
            label={t("days")}
            columns={[t("day"), ...healthCounts.map((count) => t(count))]}
            rows={eventful.toReversed().map((day) => ({
              name: format.date(day.day),
              values: healthCounts.map((count) => format.number(day[count])),
            }))}
          />
        </>
      )}
    </Part>
  );
}

const Lead = styled("p")({ overflowWrap: "anywhere" });
const Part = styled("section")({
  minWidth: 0,
  "& h3": { marginBottom: 8, fontSize: 13, fontWeight: 600 },
  "& > p": { color: color.ink2 },
});
