import type { DashboardComparison } from "@prosa/contract/dashboard";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color, visuallyHidden } from "#web/ui/tokens.ts";
import { comparedWith, meaningOf, type ComparedFigure } from "./comparison.ts";
import { dashboardMessages } from "./dashboard.i18n.ts";

/** Beyond it a percentage says only that there was next to nothing before. */
const MOST_PERCENT = 999;

/** How far a figure is from that of the period before; nothing where one of the two is none (D-02, decision 0175). */
export function Change(props: {
  readonly figure: ComparedFigure;
  readonly comparison: DashboardComparison;
  readonly today: string;
}) {
  const { figure, comparison, today } = props;
  const t = useMessages(dashboardMessages);
  const format = useFormat();
  const span = useSpan(comparison);
  const change = comparison[figure];
  if (change === null) {
    return null;
  }
  const { key, count } = comparedWith(comparison, today);
  const percent = Math.abs(change) > MOST_PERCENT ? `>${MOST_PERCENT}` : format.number(Math.abs(change));
  const Arrow = change > 0 ? ArrowUp : ArrowDown;
  return (
    <Line title={span}>
      {change === 0 ? (
        t("changeNone")
      ) : (
        <>
          <Percent aria-hidden data-meaning={meaningOf(figure, change)}>
            <Arrow size={13} strokeWidth={2.5} />
            {percent}%
          </Percent>
          <Unseen>{t(change > 0 ? "changeMore" : "changeLess", { percent })}</Unseen>
        </>
      )}{" "}
      <Versus>{t(key, { count })}</Versus>
    </Line>
  );
}

/** Between which days, and until when: "10/11/2026 a 16/11/2026, até as 10:56". */
function useSpan({ from, to, untilTime }: DashboardComparison): string {
  const t = useMessages(dashboardMessages);
  const format = useFormat();
  const days = { from: format.date(from), to: format.date(to) };
  return untilTime === null ? t("comparedDays", days) : t("comparedUntil", { ...days, time: untilTime.slice(0, 5) });
}

const Line = styled("span")({
  fontSize: 12,
  lineHeight: 1.35,
  color: color.ink2,
});
const Percent = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 2,
  fontWeight: 600,
  verticalAlign: "bottom",
  "&[data-meaning='good']": { color: color.accent },
  "&[data-meaning='bad']": { color: color.danger },
});
/** On the next line as a whole, where there is no room beside the percentage. */
const Versus = styled("span")({ display: "inline-block" });
const Unseen = styled("span")(visuallyHidden);
