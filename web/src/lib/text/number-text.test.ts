import { expect, test } from "vitest";
import { languages } from "./i18n.ts";
import { numberText, parseNumber } from "./number-text.ts";

test.each([
  ["99,90", 99.9],
  ["99.90", 99.9],
  ["1.234,56", 1234.56],
  ["1,234.56", 1234.56],
  ["1 234,56", 1234.56],
  ["1.234.567", 1_234_567],
  ["1,234,567.8", 1_234_567.8],
  ["1234,5", 1234.5],
  ["12345.67", 12_345.67],
  ["2490.9", 2490.9],
  [",5", 0.5],
  ["99,", 99],
  ["0", 0],
  ["-1", -1],
])("%s is an amount in every language (Y-02, O-10)", (typed, amount) => {
  expect(languages.map((language) => parseNumber(typed, language, 2))).toEqual(languages.map(() => amount));
});

test.each([
  "",
  " ",
  "abc",
  "1e5",
  "0x10",
  "Infinity",
  "R$",
  "-",
  ",",
  "1.2.3",
  "1,23,456",
  "1.23,45",
  "12.3456",
  "1,,5",
  "5-",
  "1,234.567",
])("%j is no amount (Y-02, O-10)", (typed) => {
  expect(languages.map((language) => parseNumber(typed, language, 2))).toEqual(languages.map(() => undefined));
});

test("a mark before three digits is read as the language of the interface writes it (Y-02, O-10)", () => {
  expect([parseNumber("1.234", "pt", 2), parseNumber("1,234", "en", 2), parseNumber("1,234", "es", 2)]).toEqual([
    1234, 1234, 1234,
  ]);
  // decimals then, of which money has two
  expect([parseNumber("1,234", "pt", 2), parseNumber("1.234", "en", 2), parseNumber("1.234", "es", 2)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([parseNumber("1,234", "pt", 3), parseNumber("1.234", "en", 3), parseNumber("0.125", "pt", 3)]).toEqual([
    1.234, 1.234, 0.125,
  ]);
});

test("a whole number has no decimals (E-03)", () => {
  expect([parseNumber("1.000", "pt", 0), parseNumber("30", "pt", 0)]).toEqual([1000, 30]);
  expect([parseNumber("1,5", "pt", 0), parseNumber("1.5", "en", 0), parseNumber("1.000", "en", 0)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a stored number is shown in the user's language, and read again as it is (Y-02, O-10)", () => {
  const money = { decimals: 2, isMoney: true };
  expect(languages.map((language) => numberText(1234.5, language, money))).toEqual(["1234,50", "1234.50", "1234.50"]);

  for (const language of languages) {
    for (const value of [0, 0.1, 99.9, 1234, 1234.56, 9_999_999.99]) {
      expect(parseNumber(numberText(value, language, money), language, 2), `${value} in ${language}`).toBe(value);
    }
    for (const value of [0.000125, 1.234, 1000, 1]) {
      const text = numberText(value, language, { decimals: 10, isMoney: false });
      expect(parseNumber(text, language, 10), `${text} in ${language}`).toBe(value);
    }
  }
});
