import { expect, test } from "vitest";
import { exampleLanguages, exampleOf } from "./examples.ts";

const facts = {
  url: "https://desk.example.com/api/messages/send",
  token: "abc123",
  number: "5511988887777",
  body: `It's "fine" $5`,
  tokenName: "TOKEN",
  fileName: "nota.pdf",
};

test("each example has the address, the token and the fields; a token that is not known is named (X-02)", () => {
  for (const language of exampleLanguages) {
    for (const hasFile of [false, true]) {
      const code = exampleOf(language, hasFile, facts);
      expect([facts.url, "Bearer abc123", facts.number].filter((part) => !code.includes(part))).toEqual([]);
      expect(code.includes("medias")).toBe(hasFile);
      expect(exampleOf(language, hasFile, { ...facts, token: "" })).toContain("Bearer TOKEN");
    }
  }
  // quotes stay inside their quotes
  expect(exampleOf("curl", false, facts)).toContain(String.raw`It'\''s`);
  expect(exampleOf("PHP", false, facts)).toContain(String.raw`'It\'s "fine" $5'`);
  expect(exampleOf("Python", false, facts)).toContain(String.raw`"It's \"fine\" $5"`);
});
