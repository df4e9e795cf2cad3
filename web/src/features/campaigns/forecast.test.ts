import { campaignSettingDefaults } from "@prosa/contract/campaigns";
import { sendingDefaults, type SendingRules } from "@prosa/contract/sending";
import { expect, test } from "vitest";
import { forecast } from "./forecast.ts";

const timeZone = "America/Sao_Paulo";
const free = { name: "Loja", dailyCap: null, warmUp: false, ageDays: null, warmUpLimit: null, startedToday: 0 };
type Line = SendingRules["lines"][number];

/** In the wall clock of the zone, three hours behind UTC; 2026-05-04 is a Monday, and the hours are 8:00 to 20:00 but on Sundays. */
const at = (clock: string) => new Date(`${clock}:00-03:00`);
const said = (date: Date | null) => date && new Date(date.getTime() - 3 * 3_600_000).toISOString().slice(0, 16);

test.each<[string, string, number, Partial<Line>[], Partial<SendingRules>, [string, string | null, number | null]]>([
  ["in the hours", "2026-05-04T10:00", 4, [{}], {}, ["2026-05-04T10:00", "2026-05-04T10:01", null]],
  ["before them", "2026-05-04T05:43", 4, [{}], {}, ["2026-05-04T08:00", "2026-05-04T08:01", null]],
  ["on a Saturday night", "2026-05-09T20:00", 4, [{}], {}, ["2026-05-11T08:00", "2026-05-11T08:01", null]],
  ["past their end", "2026-05-04T19:59", 7, [{}], {}, ["2026-05-04T19:59", "2026-05-05T08:01", null]],
  [
    "at any hour",
    "2026-05-04T23:00",
    4,
    [{}],
    { hours: { ...sendingDefaults.hours, isOn: false } },
    ["2026-05-04T23:00", "2026-05-04T23:01", null],
  ],
  [
    "in a wider gap",
    "2026-05-04T10:00",
    4,
    [{}],
    { minGapSeconds: 60 },
    ["2026-05-04T10:00", "2026-05-04T10:03", null],
  ],
  ["by a young line", "2026-05-04T10:00", 21, [{ warmUpLimit: 20 }], {}, ["2026-05-04T10:00", null, 20]],
  ["within its plan", "2026-05-04T10:00", 4, [{ warmUpLimit: 20 }], {}, ["2026-05-04T10:00", "2026-05-04T10:01", null]],
  [
    "by two lines, the smaller limit of each",
    "2026-05-04T10:00",
    50,
    [{ dailyCap: 10, warmUpLimit: 20, startedToday: 4 }, { dailyCap: 7 }],
    {},
    ["2026-05-04T10:00", null, 13],
  ],
  ["with a free one", "2026-05-04T10:00", 7, [{ dailyCap: 1 }, {}], {}, ["2026-05-04T10:00", "2026-05-04T10:01", null]],
  [
    "on a day that is used up",
    "2026-05-04T10:00",
    9,
    [{ dailyCap: 5, startedToday: 5 }],
    {},
    ["2026-05-05T08:00", null, 5],
  ],
  [
    "tomorrow, whatever today has used",
    "2026-05-05T10:00",
    4,
    [{ dailyCap: 5, startedToday: 5 }],
    {},
    ["2026-05-05T10:00", "2026-05-05T10:01", null],
  ],
])("a campaign sent %s (P-03, K-03)", (_, time, contacts, lines, rules, expected) => {
  const { first, last, onFirstDay } = forecast(
    {
      contacts,
      lineIds: lines.map((__, index) => index),
      at: at(time),
      now: at(time < "2026-05-05" ? time : "2026-05-04T09:00"),
    },
    {
      rules: {
        ...sendingDefaults,
        lines: lines.map((line, whatsappId) => ({ ...free, whatsappId, ...line })),
        ...rules,
      },
      pace: campaignSettingDefaults,
      timeZone,
    },
  );
  expect([said(first), said(last), onFirstDay]).toEqual(expected);
});
