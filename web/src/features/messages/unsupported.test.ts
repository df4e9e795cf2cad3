import { expect, test } from "vitest";
import { unsupportedWord } from "./unsupported.i18n.ts";

test("what WhatsApp withholds is named; what has no words of its own is told as any kind (W-08)", () => {
  const named = ["viewOnce", "metaAi", "hosted", "undecryptable", "absent", "unreadable", "poll", "payment"];
  expect(named.map(unsupportedWord)).toEqual(named);
  expect(["newsletterAdminInvite", "toString", "", 7, undefined, null].map(unsupportedWord)).toEqual(
    Array.from({ length: 6 }, () => "any"),
  );
});
