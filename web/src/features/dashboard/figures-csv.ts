import { csvLine } from "@prosa/contract/csv";
import type { Format } from "#web/lib/text/format.ts";
import type { Translate } from "#web/lib/text/i18n.ts";
import type { Figures, Point } from "./dashboard.api.ts";
import type { dashboardMessages } from "./dashboard.i18n.ts";

/** The displayed data of the dashboard. */
export interface DashboardData {
  readonly figures: Figures;
  readonly perUser: readonly Point[];
  readonly perDay: readonly Point[];
}

/** painel.csv: the counters, the attendants and both charts, one block under the other. Pure. */
export function figuresCsv(
  { figures, perUser, perDay }: DashboardData,
  t: Translate<(typeof dashboardMessages)["pt"]>,
  format: Pick<Format, "minutes">,
): string {
  const { counters, attendants } = figures;
  const blocks: (string | number)[][][] = [
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
    ],
    [[t("perUser"), t("total")], ...perUser.map(({ label, total }) => [label, total])],
    [[isByHour(perDay) ? t("perHour") : t("perDay"), t("total")], ...perDay.map(({ label, total }) => [label, total])],
  ];
  return blocks.map((rows) => rows.map(csvLine).join("")).join(csvLine([""]));
}

/** Hours are `09:00`, days `21/11/2026`. */
export function isByHour(points: readonly Point[]): boolean {
  return points[0]?.label.includes(":") ?? false;
}
