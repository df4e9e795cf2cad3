import { campaignStatuses } from "@prosa/contract";
import type { CampaignStatus } from "@prosa/contract";
import { expect, test } from "vitest";
import { editableParts, isDue, stateAfter } from "./campaigns.state.ts";
import type { CampaignStep } from "./campaigns.state.ts";

const steps: readonly CampaignStep[] = ["schedule", "unschedule", "start", "cancel", "restart", "finish"];
const none = undefined;

test.each<[CampaignStatus, readonly (CampaignStatus | undefined)[]]>([
  ["INATIVA", ["PROGRAMADA", "INATIVA", none, none, none, none]],
  ["PROGRAMADA", ["PROGRAMADA", "INATIVA", "EM_ANDAMENTO", none, none, none]],
  ["EM_ANDAMENTO", [none, none, none, "CANCELADA", none, "FINALIZADA"]],
  ["CANCELADA", [none, none, none, none, "EM_ANDAMENTO", none]],
  ["FINALIZADA", [none, none, none, none, none, none]],
])("%s: schedule, unschedule, start, cancel, restart, finish (K-04)", (status, expected) => {
  expect(steps.map((step) => stateAfter(status, step))).toEqual(expected);
});

const now = new Date("2026-05-04T12:00:00Z");
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

test.each<[CampaignStatus, number | null, ReturnType<typeof editableParts>]>([
  ["INATIVA", null, "all"],
  ["PROGRAMADA", 61, "all"],
  ["PROGRAMADA", 60, "nothing"],
  ["PROGRAMADA", -5, "nothing"],
  ["EM_ANDAMENTO", -5, "nothing"],
  ["CANCELADA", -5, "texts"],
  ["FINALIZADA", -5, "nothing"],
])("%s, scheduled in %s minutes: %s may be changed (K-03)", (status, minutes, expected) => {
  const scheduledAt = minutes === null ? null : inMinutes(minutes);
  expect(editableParts({ status, scheduledAt, awaitsImport: false }, now)).toBe(expected);
});

test("one that waits for the import of its list may be changed (K-03)", () => {
  const scheduledAt = inMinutes(-5);
  expect(editableParts({ status: "PROGRAMADA", scheduledAt, awaitsImport: true }, now)).toBe("all");
});

test("only a scheduled one is due, at its time and after it, never before (K-04)", () => {
  const dueAt = (minutes: number) =>
    campaignStatuses.filter((status) => isDue({ status, scheduledAt: inMinutes(minutes) }, now));
  expect(dueAt(0)).toEqual(["PROGRAMADA"]);
  expect(dueAt(-600)).toEqual(["PROGRAMADA"]);
  expect(dueAt(0.001)).toEqual([]);
  expect(isDue({ status: "PROGRAMADA", scheduledAt: null }, now)).toBe(false);
});
