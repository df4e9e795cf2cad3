import type { ReactNode } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { EmptyState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
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
          <Plot>{props.children(points)}</Plot>
          <details>
            <summary>{t("asTable")}</summary>
            <Scroller tabIndex={0} role="region" aria-label={title}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{props.labelTitle}</th>
                    <th scope="col">{t("total")}</th>
                  </tr>
                </thead>
                <tbody>
                  {points.map(({ label, total }, index) => (
                    // two attendants may have the same name
                    <tr key={`${index} ${label}`}>
                      <th scope="row">{label}</th>
                      <td>{format.number(total)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroller>
          </details>
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
  "& details": { marginTop: "auto", padding: "0 16px 12px", fontSize: 13 },
  "& summary": { width: "fit-content", padding: "4px 0", color: color.ink2, cursor: "pointer" },
  [media.coarse]: { "& summary": { padding: "13px 0" } },
  "& details table": { width: "100%", borderCollapse: "collapse" },
  "& details th": { textAlign: "left", fontWeight: 400, padding: "3px 0", overflowWrap: "anywhere" },
  "& details thead th": { color: color.ink2, fontSize: 12 },
  "& details td, & details thead th:last-child": { textAlign: "right", fontVariantNumeric: "tabular-nums" },
});
const Scroller = styled("div")({ maxHeight: 260, overflow: "auto", marginTop: 6 });
const Plot = styled("div")({ maxHeight: 360, overflowY: "auto", padding: "0 12px 8px" });
