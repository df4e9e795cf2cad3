import { expect, test } from "vitest";
import { unsupportedLabel } from "./unsupported.i18n.ts";

test("a kind that WhatsApp withholds has its own text; a kind without one has the general text (W-08)", () => {
  const named = ["viewOnce", "metaAi", "hosted", "undecryptable", "absent", "unreadable", "poll", "payment"];
  expect(named.map(unsupportedLabel)).toEqual(named);
  expect(["newsletterAdminInvite", "toString", "", 7, undefined, null].map(unsupportedLabel)).toEqual(
    Array.from({ length: 6 }, () => "any"),
  );
});
