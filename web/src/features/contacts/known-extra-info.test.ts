import { expect, test } from "vitest";
import { knownExtraInfo } from "./known-extra-info.ts";

const pair = (name: string) => ({ name, value: "1" });
const [cpf, city, code] = [pair("CPF"), pair("Cidade"), pair("Código")];
const known = (wanted: (typeof cpf)[], tried: (typeof cpf)[][] = []) =>
  knownExtraInfo(wanted, { opened: [cpf, city], tried });

test("a form knows what it opened with, and not what it adds (C-02)", () => {
  expect(known([cpf, city, code])).toEqual([cpf, city]);
  expect(known([city])).toEqual([cpf, city]);
});

test("what a failed save tried is the form's own, put back or taken off (C-02)", () => {
  expect(known([cpf, city, code], [[cpf, city, code]])).toEqual([cpf, city]);
  expect(known([cpf, city], [[cpf, city, code]])).toEqual([cpf, city, code]);
  expect(known([cpf, city], [[city]])).toEqual([city]);
});
