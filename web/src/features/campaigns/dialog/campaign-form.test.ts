import type { Campaign, CampaignBody } from "@prosa/contract/campaigns";
import { expect, test } from "vitest";
import {
  bodyOf,
  changedBodyOf,
  isAlreadyDone,
  isSoon,
  missingOf,
  partsOf,
  saveSteps,
  textNames,
  timeOf,
  valuesOf,
  writtenVariants,
  type CampaignValues,
  type Part,
} from "./campaign-form.ts";

const clock = { timeZone: "America/Sao_Paulo", now: Date.parse("2026-11-25T12:00:00Z") };
const inAnHour = new Date(clock.now + 3_600_000);
const known = (values: CampaignValues, tried: readonly Part[] = []) => ({ values, tried });
const empty = valuesOf(undefined, { timeZone: clock.timeZone, proposed: inAnHour, lines: [{ id: 3 }, { id: 4 }] });

test("a new campaign is inactive, has a time to propose, and takes the only line (K-03)", () => {
  expect(empty).toMatchObject({ when: "later", scheduledAt: "2026-11-25T10:00", whatsappIds: [], audience: "list" });
  expect(valuesOf(undefined, { timeZone: clock.timeZone, proposed: inAnHour, lines: [{ id: 3 }] }).whatsappIds).toEqual(
    [3],
  );
  expect(bodyOf({ ...empty, name: "Natal" }, "all", clock)).toMatchObject({
    ...{ name: "Natal", scheduledAt: null, contactListId: null, tagListId: null, whatsappId: null, whatsappIds: [] },
  });
});

test("list and tag exclude each other, whatever was chosen before (K-03)", () => {
  const both = { ...empty, contactListId: "7", tagListId: "9", whatsappIds: [4, 3] };

  expect(bodyOf(both, "all", clock)).toMatchObject({ contactListId: 7, tagListId: null, whatsappId: 4 });
  expect(bodyOf({ ...both, audience: "tag" }, "all", clock)).toMatchObject({ contactListId: null, tagListId: 9 });
});

test("of a cancelled campaign only the texts are saved, and new lines (K-03)", () => {
  const body = bodyOf({ ...empty, name: "Outra", message2: "Oi {nome}" }, "texts", clock);

  expect(Object.keys(body).toSorted()).toEqual(
    [...textNames("message"), ...textNames("confirmationMessage"), "whatsappId", "whatsappIds"].toSorted(),
  );
  expect(body.message2).toBe("Oi {nome}");
  const changed = (values: Partial<CampaignValues>) =>
    changedBodyOf(known(empty), { ...empty, ...values }, "texts", clock);
  expect(changed({ name: "Outra", when: "now", message2: "Oi" })).toEqual({ message2: "Oi" });
  expect(changed({ whatsappIds: [4] })).toEqual({ whatsappId: 4, whatsappIds: [4] });
});

const opened = { ...empty, when: "at", contactListId: "7", whatsappIds: [3], message1: "Oi" } as const;
const steps = (before: CampaignValues, changed: Partial<CampaignValues>, tried: readonly Part[] = []) =>
  saveSteps(known(before, tried), { ...before, ...changed }, "all", clock);
const now = new Date(clock.now).toISOString();

test("what was changed is saved, and nothing of what colleagues may have changed since (K-03)", () => {
  expect(steps(opened, {})).toEqual([]);
  expect(steps(opened, { name: "Natal", message2: "Olá" })).toEqual([{ body: { name: "Natal", message2: "Olá" } }]);
  expect(steps(opened, { audience: "tag", tagListId: "9" })).toEqual([{ body: { contactListId: null, tagListId: 9 } }]);
  expect(steps(opened, { whatsappIds: [3, 4] })).toEqual([{ body: { whatsappId: 3, whatsappIds: [3, 4] } }]);
  expect(steps(opened, { when: "later" })).toEqual([{ body: { scheduledAt: null } }]);
  expect(steps(opened, { scheduledAt: "2026-11-25T11:00" })).toEqual([
    { body: { scheduledAt: "2026-11-25T14:00:00.000Z" } },
  ]);
  // A time that was looked at and not taken, and a tag behind the list that counts.
  expect(steps(empty, { scheduledAt: "2026-11-25T11:00", tagListId: "9" })).toEqual([]);
});

test("what a failed save has tried is saved as it is now, also where it was put back: its answer may have been lost (K-03, K-04)", () => {
  expect(steps(empty, { scheduledAt: "2026-11-25T11:00" }, ["scheduledAt"])).toEqual([{ body: { scheduledAt: null } }]);
  expect(steps(opened, {}, ["scheduledAt", "message1"])).toEqual([
    { body: { message1: "Oi", scheduledAt: inAnHour.toISOString() } },
  ]);
  expect(steps(opened, {}, ["whatsappIds"])).toEqual([{ body: { whatsappId: 3, whatsappIds: [3] } }]);
  expect(steps(opened, {}, ["tagListId"])).toEqual([{ body: { contactListId: 7, tagListId: null } }]);
  expect(steps(opened, {}, ["file"])).toEqual([{ file: null }]);
  const file = new File(["x"], "a.png");
  expect(steps({ ...opened, file }, {}, ["file"])).toEqual([{ file }]);
  expect(steps(opened, { file, when: "later" }, ["file", "scheduledAt"]).map(partsOf)).toEqual([
    ["file"],
    ["scheduledAt"],
  ]);
});

test("a campaign has all that it sends after each request, and by its start (K-03, K-04)", () => {
  const file = new File(["x"], "a.png");
  const withFile = { ...opened, message1: "", file: { name: "a.png", url: "/a" } };
  expect(steps(opened, { message1: "", file })).toEqual([{ file }, { body: { message1: "" } }]);
  expect(steps(opened, { when: "now", file })).toEqual([{ file }, { body: { scheduledAt: now } }]);
  expect(steps(withFile, { message1: "Oi", file: null })).toEqual([{ body: { message1: "Oi" } }, { file: null }]);
  expect(steps(withFile, { message1: "Oi", file: null, when: "now" })).toEqual([
    { body: { message1: "Oi" } },
    { file: null },
    { body: { scheduledAt: now } },
  ]);
  expect(steps(withFile, { file: null, when: "later" })).toEqual([{ body: { scheduledAt: null } }, { file: null }]);
});

test("a request that is refused because it was done already is done; a colleague's is not (K-03, K-04)", () => {
  const lines = [{ id: 3, name: "Loja" }] as Campaign["lines"];
  const stored = { ...bodyOf({ ...opened, name: "Natal" }, "all", clock), lines, scheduledAt: now } as Campaign;
  const later = { ...clock, now: clock.now + 20_000 };
  const asked = { name: "Natal", whatsappId: 3, whatsappIds: [3], scheduledAt: new Date(later.now).toISOString() };
  const done = (status: Campaign["status"], more: Partial<Campaign> = {}, body: Partial<CampaignBody> = asked) =>
    isAlreadyDone({ ...stored, status, ...more }, body, later);

  expect([done("PROGRAMADA"), done("EM_ANDAMENTO"), done("FINALIZADA")]).toEqual([true, true, true]);
  expect([done("CANCELADA"), done("INATIVA", { scheduledAt: null })]).toEqual([false, false]);
  expect([done("EM_ANDAMENTO", { name: "Páscoa" }), done("EM_ANDAMENTO", { lines: [] })]).toEqual([false, false]);
  // Within the hour it can be changed no more: at the time that was asked for it is done, at another it is not.
  const at = { scheduledAt: inAnHour.toISOString() };
  expect([done("PROGRAMADA", at, at), done("PROGRAMADA", at), done("PROGRAMADA", {}, at)]).toEqual([
    true,
    false,
    false,
  ]);
  // It gives no time, so nothing started by it.
  expect(done("EM_ANDAMENTO", {}, { name: "Natal" })).toBe(false);
});

test("its time is that of the company, now, or none (K-03)", () => {
  expect(timeOf(empty, clock)).toBeNull();
  expect(timeOf({ ...empty, when: "now" }, clock)).toEqual(new Date(clock.now));
  expect(timeOf({ ...empty, when: "at" }, clock)).toEqual(inAnHour);
  expect(timeOf({ ...empty, when: "at", scheduledAt: "amanhã" }, clock)).toBeNull();
});

test("an inactive campaign may lack everything; a scheduled one says what is missing, at its field (K-03)", () => {
  expect(missingOf(empty, clock)).toEqual({});
  expect(missingOf({ ...empty, when: "at", confirmation: true, scheduledAt: "2026-11-25T08:59" }, clock)).toEqual({
    contactListId: "contactListMissing",
    whatsappIds: "lineMissing",
    message1: "messageMissing",
    confirmationMessage1: "confirmationMissing",
    scheduledAt: "timePast",
  });
  expect(missingOf({ ...empty, when: "at", audience: "tag", scheduledAt: "?" }, clock)).toMatchObject({
    tagListId: "tagMissing",
    scheduledAt: "timeMissing",
  });
  const whole = { ...empty, when: "now", contactListId: "7", whatsappIds: [3] } as const;
  expect(missingOf({ ...whole, message4: "Oi" }, clock)).toEqual({});
  expect(missingOf({ ...whole, file: { name: "a.png", url: "/a" } }, clock)).toEqual({});
});

test("contacts get the written texts; blanks are none (K-05)", () => {
  expect(writtenVariants({ ...empty, message2: "a", message3: " \n", message5: "b" }, "message")).toEqual([2, 5]);
});

test("one that starts within the hour cannot be changed after it is saved (K-03)", () => {
  expect([
    isSoon(null, clock.now),
    isSoon(inAnHour, clock.now),
    isSoon(new Date(clock.now + 3_600_001), clock.now),
  ]).toEqual([...[false, true, false]]);
});
