import { messageRules } from "@prosa/contract/messages";
import { expect, test } from "vitest";
import { excessLetters } from "./length.ts";
import { splitReply } from "./split-reply.ts";

const reply = (text: string, signature?: string) =>
  excessLetters(text, () => splitReply({ text, attachments: [], signature })).count;

test("a text over 65,536 letters says by how many, the signature counted (A.11)", () => {
  expect(messageRules.maxBody).toBe(65_536);
  expect(reply("a".repeat(65_536))).toBe(0);
  expect(reply("a".repeat(65_540))).toBe(4);
  expect(reply("a".repeat(65_536), "Paula")).toBe("*Paula*\n".length);
});

test("a short text is not composed at each letter", () => {
  expect(
    excessLetters("Oi", () => {
      throw new Error("composed");
    }).count,
  ).toBe(0);
});
