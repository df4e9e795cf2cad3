import { Suspense, type ReactNode } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ChartTable } from "#web/ui/ChartTable.tsx";
import { EmptyState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import type { Point } from "./dashboard.api.ts";
import { dashboardMessages } from "./dashboard.i18n.ts";

/** A chart with its sum, and the same numbers as a table for screen readers. */
export function ChartCard(props: {
  readonly title: string;
  readonly hint: string;
  readonly labelTitle: string;
  readonly points: readonly Point[] | undefined;
  readonly children: (points: readonly Point[]) => ReactNode;
}) {
  const t = useMessages(dashboardMessages);
  const format = useFormat();
  const { title, hint, points } = props;
  const count = points?.reduce((sum, { total }) => sum + total, 0) ?? 0;

  return (
    <Card aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>
          {hint}
          {points && <> · {t("sum", { count })}</>}
        </p>
      </header>
      {!points ? (
        <Skeleton style={{ height: 200, margin: 16 }} />
      ) : count === 0 ? (
        <EmptyState title={t("nothing")} text={t("nothingText")} />
      ) : (
        <>
          {/* scrolls by itself: fifty attendants make a tall chart */}
          <Plot>
            {/* around the chart alone: the numbers do not wait for its code */}
            <Suspense fallback={<Skeleton style={{ height: 200 }} />}>{props.children(points)}</Suspense>
          </Plot>
          <ChartTable
            summary={t("asTable")}
            label={title}
            columns={[props.labelTitle, t("total")]}
            rows={points.map(({ label, total }) => ({ name: label, values: [format.number(total)] }))}
          />
        </>
      )}
    </Card>
  );
}

/** A framed part of the dashboard with a heading. */
export const Card = styled("section")({
  display: "flex",
  flexDirection: "column",
  minWidth: 0,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.panel,
  overflow: "hidden",
  "& > header": { padding: "14px 16px 8px" },
  "& h2": { fontSize: 14, fontWeight: 600 },
  "& header p": { fontSize: 12, color: color.ink2 },
  "& > details": { padding: "0 16px 12px" },
});
const Plot = styled("div")({ maxHeight: 360, overflowY: "auto", padding: "0 12px 8px" });
