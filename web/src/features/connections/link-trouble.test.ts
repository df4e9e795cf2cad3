import { expect, test } from "vitest";
import { linkTrouble } from "./link-trouble.ts";

test.each([
  ["a new line, whose code has not arrived", "DISCONNECTED", null, undefined],
  ["a line that makes a code", "OPENING", null, undefined],
  ["a code that nobody used", "DISCONNECTED", "notScanned", "expired"],
  ["a network that is down", "TIMEOUT", "network", "reason_network"],
  ["a number that another line has", "DISCONNECTED", "sameNumber", "reason_sameNumber"],
  ["a pairing code that WhatsApp refused", "DISCONNECTED", "codeRefused", "reason_codeRefused"],
] as const)("the dialog says why no code comes: %s (W-03)", (_case, status, reason, expected) => {
  expect(linkTrouble({ status, reason })).toBe(expected);
});
