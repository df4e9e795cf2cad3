import { expect, test } from "vitest";
import { splitSignature, withSignature } from "./signature.ts";

test("an edit shows the text without the signature, which comes back when it is saved (A.8)", () => {
  const sent = withSignature("Chega na quinta.", "Paula Ribeiro");
  const { signature, text } = splitSignature(sent, "Paula Ribeiro");

  expect(text).toBe("Chega na quinta.");
  expect(`${signature}${text}`).toBe(sent);
});

test("a text that was not signed, or by somebody else, stays as it is", () => {
  expect(splitSignature("*Atenção*\nlinha", "Paula")).toEqual({ signature: "", text: "*Atenção*\nlinha" });
  expect(splitSignature("", "Paula")).toEqual({ signature: "", text: "" });
});
