import { expect, test } from "vitest";
import { withSignature } from "./composer/reply/signature.ts";
import { unsignedText } from "./unsigned-text.ts";

test("an edit shows the text without the signature that was sent with it (A.8)", () => {
  const user = { id: 1, name: "Paula Ribeiro" };

  expect(unsignedText({ body: withSignature("Chega na quinta.", user.name), user })).toBe("Chega na quinta.");
  expect(unsignedText({ body: "*Atenção*\nlinha", user })).toBe("*Atenção*\nlinha");
  expect(unsignedText({ body: "*Danilo*\nOi", user: null })).toBe("*Danilo*\nOi");
});

test("a caption that was stored with the line breaks of a form is shown without its signature too (M-11)", () => {
  const user = { id: 1, name: "Paula Ribeiro" };

  expect(unsignedText({ body: "*Paula Ribeiro*\r\nlinha um\r\nlinha dois", user })).toBe("linha um\r\nlinha dois");
});
