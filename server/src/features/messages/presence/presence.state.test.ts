import { expect, test } from "vitest";
import { contactTyped, current, isDeserted, nextEnd, nobody, pictureOf, seen, typed } from "./presence.state.ts";

const ana = { id: 1, name: "Ana" };
const bia = { id: 2, name: "Bia" };

test("a person with windows in two processes is one viewer", () => {
  const here = seen(seen(nobody, "p1", [bia, ana], 100), "p2", [ana], 100);

  expect(pictureOf(here, 7, 0)).toEqual({
    ticketId: 7,
    viewers: [
      { ...ana, typing: false },
      { ...bia, typing: false },
    ],
    contactTyping: false,
  });
});

test("typing ends by being told, and by not being told again", () => {
  const here = typed(seen(nobody, "p1", [ana], 100), 1, 6);

  expect(pictureOf(here, 7, 5).viewers).toEqual([{ ...ana, typing: true }]);
  expect(pictureOf(here, 7, 6).viewers).toEqual([{ ...ana, typing: false }]);
  expect(pictureOf(typed(here, 1, 0), 7, 5).viewers).toEqual([{ ...ana, typing: false }]);
});

test("who does not look is not seen to write", () => {
  expect(pictureOf(typed(nobody, 1, 10), 7, 5).viewers).toEqual([]);
});

test("a contact's typing expires", () => {
  const here = contactTyped(nobody, 10);

  expect(pictureOf(here, 7, 9).contactTyping).toBe(true);
  expect(pictureOf(here, 7, 10).contactTyping).toBe(false);
  expect(pictureOf(contactTyped(here, 0), 7, 9).contactTyping).toBe(false);
});

test("a process that died is forgotten, and then nothing is left", () => {
  const here = seen(nobody, "p1", [ana], 50);

  expect(isDeserted(current(here, 49))).toBe(false);
  expect(isDeserted(current(here, 50))).toBe(true);
  expect(isDeserted(seen(here, "p1", [], 90))).toBe(true);
});

test("the next end is the first of all", () => {
  expect(nextEnd(contactTyped(typed(seen(nobody, "p1", [ana], 50), 1, 6), 10), 0)).toBe(6);
  expect(nextEnd(contactTyped(typed(seen(nobody, "p1", [ana], 50), 1, 6), 10), 6)).toBe(10);
  expect(nextEnd(nobody, 0)).toBeUndefined();
});
