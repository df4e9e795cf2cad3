import { expect, test } from "vitest";
import { knownVariables } from "./known-variables.ts";

const variable = (key: string, value = "1") => ({ key, value });
const [coupon, deadline, shop] = [variable("cupom"), variable("prazo"), variable("loja")];
const known = (wanted: (typeof coupon)[], tried: (typeof coupon)[][] = []) =>
  knownVariables(wanted, { opened: [coupon, deadline], tried });

test("a form knows the variables that it opened with, and not what it adds (K-08)", () => {
  expect(known([coupon, deadline, shop])).toEqual([coupon, deadline]);
  expect(known([variable("CUPOM", "2")])).toEqual([coupon, deadline]);
});

test("what a save without an answer tried is the form's own, put back or taken off (K-08)", () => {
  expect(known([coupon, deadline], [[variable("cupom", "2"), deadline]])).toEqual([deadline]);
  expect(known([coupon, deadline], [[coupon]])).toEqual([coupon]);
  expect(known([coupon, deadline], [[coupon, deadline, shop]])).toEqual([coupon, deadline, shop]);
});
