/** How is a figure compared with the period before, and is that good? */
import type { DashboardComparison } from "@prosa/contract/dashboard";
import { addDays } from "#web/ui/dates/days.ts";

/** Figures with a period; those of now have none. */
export type ComparedFigure = "supportFinished" | "avgSupportTime" | "avgWaitTime";

/** More conversations are good, more time is not. */
const isMoreGood: Record<ComparedFigure, boolean> = {
  supportFinished: true,
  avgSupportTime: false,
  avgWaitTime: false,
};

/** What a change means; undefined where nothing changed. Pure. */
export function meaningOf(figure: ComparedFigure, change: number): "good" | "bad" | undefined {
  return change === 0 ? undefined : change > 0 === isMoreGood[figure] ? "good" : "bad";
}

/** What the figures are compared with, as a key of the texts and their count of days. Pure. */
export function comparedWith(
  { from, to, unit, untilTime }: DashboardComparison,
  today: string,
): { readonly key: "vsMonth" | "vsYesterday" | "vsDay" | "vsDays"; readonly count: number } {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  if (unit === "month") {
    return { key: "vsMonth", count };
  }
  const isYesterday = untilTime !== null && count === 1 && to === addDays(today, -1);
  return { key: isYesterday ? "vsYesterday" : count === 1 ? "vsDay" : "vsDays", count };
}
