import { campaignRules, campaignStatuses, type CampaignCounts } from "@prosa/contract/campaigns";
import { expect, test } from "vitest";
import { editingOf, finishedOf, holdOf, progressOf } from "./campaign-states.ts";

const now = Date.parse("2026-11-25T12:00:00Z");
const at = (ms: number) => new Date(now + ms).toISOString();

test("a campaign is edited while it is inactive or starts in more than an hour; of a cancelled one the texts (K-03)", () => {
  const editing = (scheduledAt: string | null) =>
    campaignStatuses.map((status) => [status, editingOf({ status, scheduledAt, lines: [] }, now)]);

  expect(editingOf(undefined, now)).toBe("all");
  expect(editing(at(campaignRules.editableBeforeMs + 1))).toEqual([
    ["INATIVA", "all"],
    ["PROGRAMADA", "all"],
    ["EM_ANDAMENTO", "none"],
    ["CANCELADA", "texts"],
    ["FINALIZADA", "none"],
  ]);
  expect(editing(at(campaignRules.editableBeforeMs))[1]).toEqual(["PROGRAMADA", "none"]);
  expect(editing(null)[1]).toEqual(["PROGRAMADA", "none"]);
});

const none: CampaignCounts = {
  ...{ total: 0, valid: 0, waiting: 0, confirmationRequested: 0, confirmed: 0, queued: 0, sent: 0, delivered: 0 },
  ...{ read: 0, answered: 0, failed: 0, declined: 0, unanswered: 0, optedOut: 0, invalid: 0, duplicate: 0 },
};

test("progress counts final results over the valid contacts, each once (K-07)", () => {
  const counts = { ...none, total: 12, valid: 10, queued: 1, sent: 5, delivered: 4, read: 3, failed: 1, invalid: 2 };

  expect(finishedOf(counts)).toBe(6);
  expect(progressOf({ ...counts, declined: 1, optedOut: 1 })).toBe(0.8);
  expect(progressOf(none)).toBe(0);
});

type Reason = "limited" | "hours" | "disconnected" | "import" | null;
const line = (name: string, pauseReason: Reason, pausedUntil: string | null) => ({
  ...{ id: 1, name, pauseReason, pausedUntil, nextAt: null },
});

test("a held campaign tells of the hold that ends first, and whether any line goes on (K-04)", () => {
  const held = [line("A", "limited", at(60_000)), line("B", "hours", at(30_000)), line("C", "disconnected", null)];
  const hold = (lines: typeof held, status: "EM_ANDAMENTO" | "CANCELADA" = "EM_ANDAMENTO") =>
    holdOf({ status, lines, scheduledAt: null }, now);

  expect(hold(held)).toEqual({ reason: "hours", until: new Date(now + 30_000), line: "B", isWhole: true });
  expect(hold([...held, line("D", null, null)])).toMatchObject({ reason: "hours", isWhole: false });
  expect(hold([line("C", "disconnected", null)])).toMatchObject({ reason: "disconnected", until: undefined });
  expect(hold([line("A", "limited", at(-1))])).toBeUndefined();
  expect(hold(held, "CANCELADA")).toBeUndefined();
});

test("one without a line is held whole, and one that is due waits for the import of its list, and can be changed meanwhile (K-03, K-04)", () => {
  const noLine = { reason: "noLine", until: undefined, line: "", isWhole: true };
  expect(holdOf({ status: "EM_ANDAMENTO", lines: [], scheduledAt: at(-1) }, now)).toEqual(noLine);
  expect(holdOf({ status: "CANCELADA", lines: [], scheduledAt: at(-1) }, now)).toBeUndefined();

  const lines = [line("A", "import", at(60_000)), line("B", "import", at(60_000))];
  const scheduled = (scheduledAt: string) => holdOf({ status: "PROGRAMADA", lines, scheduledAt }, now);
  expect(scheduled(at(-1))).toMatchObject({ reason: "import", isWhole: true });
  expect(scheduled(at(1))).toBeUndefined();
  expect(editingOf({ status: "PROGRAMADA", lines, scheduledAt: at(-1) }, now)).toBe("all");
});
