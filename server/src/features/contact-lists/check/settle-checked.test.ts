import { expect, test } from "vitest";
import { settleChecked } from "./settle-checked.ts";
import type { KnownItem, UncheckedItem } from "./settle-checked.ts";

const item = (id: number, number: string, matchNumber = number): UncheckedItem => ({ id, number, matchNumber });
const person = (phone: string | null, lid: string | null = null) => ({ phone, lid });
const known = (id: number, matchNumber: string, lid: string | null = null): KnownItem => ({ id, matchNumber, lid });

test("a number that WhatsApp knows gets its spelling and LID, another one is invalid (K-02)", () => {
  const batch = [item(1, "5511987650001", "551187650001"), item(2, "5511987650002", "551187650002")];
  const answers = new Map([["5511987650001", person("551187650001", "77")]]);
  expect(
    settleChecked(
      batch,
      answers,
      batch.map(({ id, matchNumber }) => known(id, matchNumber)),
    ),
  ).toEqual({
    valid: [{ id: 1, number: "551187650001", matchNumber: "551187650001", lid: "77" }],
    invalid: [2],
    duplicates: [],
  });
});

test("of two spellings of one person the first stays, by number or by LID, and a checked item before both (K-02)", () => {
  const batch = [item(5, "111"), item(6, "222"), item(7, "333"), item(8, "444")];
  const answers = new Map([
    ["222", person("999")],
    ["111", person("999")],
    ["333", person("333", "lid-of-3")],
    ["444", person("444", "lid-of-3")],
  ]);
  expect(settleChecked(batch, answers, [])).toMatchObject({
    valid: [
      { id: 5, number: "999" },
      { id: 7, number: "333" },
    ],
    duplicates: [6, 8],
  });
  const checkedBefore = [known(9, "999"), known(10, "000", "lid-of-3")];
  expect(settleChecked(batch, answers, checkedBefore)).toMatchObject({ valid: [], duplicates: [5, 6, 7, 8] });
});

test("a number that another item of the batch has not left yet is kept back: uniqueness holds at each row (K-02)", () => {
  const batch = [item(1, "111"), item(2, "222")];
  const answers = new Map([
    ["111", person("222")],
    ["222", person("333")],
  ]);
  expect(settleChecked(batch, answers, [known(1, "111"), known(2, "222")]).valid).toMatchObject([
    { id: 1, number: "111", matchNumber: "111" },
    { id: 2, number: "333" },
  ]);
});

test("without a phone in the answer the number stays as it is written (K-02)", () => {
  expect(settleChecked([item(1, "111")], new Map([["111", person(null, "7")]]), [])).toMatchObject({
    valid: [{ number: "111", lid: "7" }],
  });
});
