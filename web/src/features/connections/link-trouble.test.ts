import { expect, test } from "vitest";
import { linkingText, linkTrouble } from "./link-trouble.ts";

test.each([
  ["a new line, whose code has not arrived", "DISCONNECTED", null, undefined],
  ["a line that makes a code", "OPENING", null, undefined],
  ["a code that nobody used", "DISCONNECTED", "notScanned", "expired"],
  ["a network that is down", "TIMEOUT", "network", "reason_network"],
  ["a number that another line has", "DISCONNECTED", "sameNumber", "reason_sameNumber"],
  ["a secret that is not known any more", "DISCONNECTED", "lostSecret", "reason_lostSecret"],
  ["a pairing code that WhatsApp refused", "DISCONNECTED", "codeRefused", "reason_codeRefused"],
] as const)("the dialog says why no code comes: %s (W-03)", (_case, status, reason, expected) => {
  expect(linkTrouble({ status, reason, number: "5511911112222" })).toBe(expected);
});

test("a line that was never linked is not said to come back by itself: its code is still to be used (W-03)", () => {
  const line = { status: "TIMEOUT", reason: "network" } as const;
  expect(linkTrouble({ ...line, number: null })).toBe("networkUnlinked");
  expect(linkingText({ ...line, number: null }, true)).toBe("networkUnlinked");
});

test("the dialog names the line that has the number, while there is one (W-03)", () => {
  const taken = { status: "DISCONNECTED", reason: "sameNumber", number: null } as const;
  expect(linkTrouble({ ...taken, numberHolder: "Loja" })).toBe("sameNumberIn");
  expect(linkTrouble({ ...taken, numberHolder: null })).toBe("reason_sameNumber");
});
