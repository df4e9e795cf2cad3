import { expect, test } from "vitest";
import { aMessage } from "../../testing.ts";
import { campaignOf } from "./campaign-of.ts";

test("a message knows the campaign that sent it (K-05)", () => {
  expect(campaignOf(aMessage({ data: { campaign: { id: 7, name: "Natal" } } }))).toEqual({ id: 7, name: "Natal" });
  expect([null, {}, { campaign: null }, { campaign: "Natal" }].map((data) => campaignOf(aMessage({ data })))).toEqual([
    ...[undefined, undefined, undefined, undefined],
  ]);
});
