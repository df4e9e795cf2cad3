import { expect, test } from "vitest";
import { bodyOf, isSoon, missingOf, textNames, timeOf, valuesOf, writtenVariants } from "./campaign-form.ts";

const clock = { timeZone: "America/Sao_Paulo", now: Date.parse("2026-11-25T12:00:00Z") };
const inAnHour = new Date(clock.now + 3_600_000);
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

test("of a cancelled campaign only the texts are saved (K-03)", () => {
  const body = bodyOf({ ...empty, name: "Outra", message2: "Oi {nome}" }, "texts", clock);

  expect(Object.keys(body).toSorted()).toEqual(
    [...textNames("message"), ...textNames("confirmationMessage")].toSorted(),
  );
  expect(body.message2).toBe("Oi {nome}");
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
