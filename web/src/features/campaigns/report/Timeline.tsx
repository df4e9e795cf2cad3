import { useQuery } from "@tanstack/react-query";
import type { Campaign } from "@prosa/contract/campaigns";
import { Suspense } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ChartTable } from "#web/ui/ChartTable.tsx";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { timelineOptions } from "./report.api.ts";
import { reportMessages } from "./report.i18n.ts";
import { cumulate, series } from "./timeline.ts";

const load = () => import("./TimelineChart.tsx");
const TimelineChart = lazyOrNothing(async () => (await load()).TimelineChart);

/** The chart of a campaign with its legend, and the same numbers as a table for screen readers (K-07). */
export function Timeline({ campaign }: { readonly campaign: Campaign }) {
  const t = useMessages(reportMessages);
  const format = useFormat();
  const query = useQuery(timelineOptions(campaign.id, campaign.status));
  const steps = cumulate(query.data?.steps ?? []);
  const [first] = steps;
  const last = steps.at(-1);
  const isOneDay = first !== undefined && last !== undefined && format.date(first.at) === format.date(last.at);

  return (
    <Card aria-label={t("timeline")}>
      <header>
        <h2>{t("timeline")}</h2>
        <Legend aria-hidden>
          {series.map((name) => (
            <span key={name} data-series={name}>
              {t(name)}
            </span>
          ))}
        </Legend>
      </header>
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Skeleton style={{ height: 200, margin: 16 }} />
      ) : steps.length === 0 ? (
        <EmptyState title={t("timelineEmpty")} text={t("timelineEmptyText")} />
      ) : (
        <>
          <Plot>
            <Suspense fallback={<Skeleton style={{ height: 240 }} />}>
              <TimelineChart steps={steps} isOneDay={isOneDay} />
            </Suspense>
          </Plot>
          <ChartTable
            summary={t("asTable")}
            label={t("timeline")}
            columns={[t("time"), ...series.map((name) => t(name))]}
            rows={steps.map((step) => ({
              name: `${format.date(step.at).slice(0, 5)} ${format.time(step.at)}`,
              values: series.map((name) => format.number(step[name])),
            }))}
          />
        </>
      )}
    </Card>
  );
}

const Card = styled("section")({
  minWidth: 0,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.panel,
  "& > header": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: "4px 16px", padding: "14px 16px 8px" },
  "& h2": { fontSize: 14, fontWeight: 600 },
  "& > details": { padding: "0 16px 12px" },
});
const Legend = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  gap: "2px 14px",
  fontSize: 12,
  color: color.ink2,
  "& span": { display: "inline-flex", alignItems: "center", gap: 6 },
  "& span::before": { content: '""', width: 10, height: 3, borderRadius: 2, backgroundColor: color.ink3 },
  "& [data-series='delivered']::before": { backgroundColor: color.tick },
  "& [data-series='read']::before": { backgroundColor: color.accent },
  "& [data-series='answered']::before": { backgroundColor: color.warning },
});
const Plot = styled("div")({ padding: "0 12px 8px" });
