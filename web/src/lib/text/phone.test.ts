import { expect, test } from "vitest";
import { phoneText } from "./phone.ts";

test.each([
  ["5511987412205", "+55 11 98741-2205"],
  ["551130000001", "+55 11 3000-0001"],
  ["14155550123", "+14155550123"],
  ["120363041234567890", "120363041234567890"],
  ["", ""],
])("the number %s is written %s (C-01)", (number, text) => {
  expect(phoneText(number)).toBe(text);
});
