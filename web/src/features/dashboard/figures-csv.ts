import { csvLine } from "@prosa/contract/csv";
import type { Format } from "#web/lib/text/format.ts";
import type { Translate } from "#web/lib/text/i18n.ts";
import type { Figures, Point } from "./dashboard.api.ts";
import type { dashboardMessages } from "./dashboard.i18n.ts";
import type { spanOf } from "./filter.ts";
import { finishedByOthers } from "./remainder.ts";

/** The displayed data of the dashboard. */
export interface DashboardData {
  readonly figures: Figures;
  readonly perUser: readonly Point[];
  readonly perDay: readonly Point[];
}

type Texts = Translate<(typeof dashboardMessages)["pt"]>;

/** painel.csv: the days, the counters, the attendants and both charts, one block under the other. Pure. */
export function figuresCsv(
  { figures, perUser, perDay }: DashboardData,
  span: ReturnType<typeof spanOf>,
  t: Texts,
  format: Pick<Format, "minutes" | "date">,
): string {
  const { counters, attendants } = figures;
  const others = finishedByOthers(figures);
  const blocks: (string | number)[][][] = [
    [[t("period"), spanText(span, t, format)]],
    [
      [t("happening"), counters.supportHappening],
      [t("pending"), counters.supportPending],
      [t("finished"), counters.supportFinished],
      [t("avgSupport"), format.minutes(counters.avgSupportTime)],
      [t("avgWait"), format.minutes(counters.avgWaitTime)],
    ],
    [
      [t("name"), t("rating"), t("avgSupport"), t("tickets"), t("status")],
      ...attendants.map((row) => [
        row.name,
        row.rating ?? "",
        format.minutes(row.avgSupportTime),
        row.tickets,
        t(row.online ? "online" : "offline"),
      ]),
      ...(others > 0 ? [[t("others"), "", "", others, ""]] : []),
    ],
    [[t("perUser"), t("total")], ...perUser.map(({ label, total }) => [label, total])],
    [[isByHour(perDay) ? t("perHour") : t("perDay"), t("total")], ...perDay.map(({ label, total }) => [label, total])],
  ];
  return blocks.map((rows) => rows.map(csvLine).join("")).join(csvLine([""]));
}

/** "01/11/2026 a 21/11/2026"; of an open range the end that it has: "Até 21/11/2026". */
function spanText({ from, to }: ReturnType<typeof spanOf>, t: Texts, { date }: Pick<Format, "date">): string {
  if (from !== "" && to !== "") {
    return t("comparedDays", { from: date(from), to: date(to) });
  }
  return from === "" ? `${t("to")} ${date(to)}` : `${t("from")} ${date(from)}`;
}

/** Hours are `09:00`, days `21/11/2026`. */
export function isByHour(points: readonly Point[]): boolean {
  return points[0]?.label.includes(":") ?? false;
}
