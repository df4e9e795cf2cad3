import { expect, test } from "vitest";
import { colleagueWhoAnswered } from "./crossing.ts";

const me = 1;
const bia = { id: 2, name: "Bia" };
const beganAt = Date.parse("2026-03-02T10:00:00Z");
const answer = { fromMe: true, isAutomatic: false, user: bia, createdAt: "2026-03-02T10:00:05.000Z" };

test.each([
  ["a colleague answered since", answer, bia],
  ["a colleague had answered before", { ...answer, createdAt: "2026-03-02T09:59:59.000Z" }, undefined],
  ["I answered myself, in another window", { ...answer, user: { id: me, name: "Ana" } }, undefined],
  ["the contact wrote", { ...answer, fromMe: false, user: null }, undefined],
  ["somebody wrote on the paired phone", { ...answer, user: null }, undefined],
  ["the bot answered", { ...answer, isAutomatic: true }, undefined],
])("%s", (_, message, expected) => {
  expect(colleagueWhoAnswered([message], beganAt, me)).toEqual(expected);
});

test("who has not begun is not warned; of several colleagues the last one is named", () => {
  const caio = { id: 3, name: "Caio" };

  expect(colleagueWhoAnswered([answer], undefined, me)).toBeUndefined();
  expect(colleagueWhoAnswered([answer, { ...answer, user: caio }], beganAt, me)).toEqual(caio);
});
