import { expect, test } from "vitest";
import { findReplyCollision } from "./reply-collision.ts";

const me = 1;
const bia = { id: 2, name: "Bia" };
const beganAt = Date.parse("2026-03-02T10:00:00Z");
const reply = { fromMe: true, isAutomatic: false, user: bia, createdAt: "2026-03-02T10:00:05.000Z" };

test.each([
  ["a colleague replied since", reply, bia],
  ["a colleague had replied before", { ...reply, createdAt: "2026-03-02T09:59:59.000Z" }, undefined],
  ["I replied myself, in another window", { ...reply, user: { id: me, name: "Ana" } }, undefined],
  ["the contact wrote", { ...reply, fromMe: false, user: null }, undefined],
  ["somebody wrote on the paired phone", { ...reply, user: null }, undefined],
  ["the bot replied", { ...reply, isAutomatic: true }, undefined],
])("%s", (_, message, expected) => {
  expect(findReplyCollision([message], beganAt, me)).toEqual(expected);
});

test("without a text being written there is no collision; of several colleagues the last one is named", () => {
  const caio = { id: 3, name: "Caio" };

  expect(findReplyCollision([reply], undefined, me)).toBeUndefined();
  expect(findReplyCollision([reply, { ...reply, user: caio }], beganAt, me)).toEqual(caio);
});
