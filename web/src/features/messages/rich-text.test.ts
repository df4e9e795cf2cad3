import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRichText } from "./rich-text.ts";
import type { Piece } from "./rich-text.ts";

const text = (value: string): Piece => ({ kind: "text", text: value });

test.each<[string, Piece[]]>([
  ["oi", [text("oi")]],
  ["*oi*", [{ kind: "bold", pieces: [text("oi")] }]],
  ["a *b c* d", [text("a "), { kind: "bold", pieces: [text("b c")] }, text(" d")]],
  ["_*x*_", [{ kind: "italic", pieces: [{ kind: "bold", pieces: [text("x")] }] }]],
  ["~não~ sim", [{ kind: "strike", pieces: [text("não")] }, text(" sim")]],
  ["2*3*4", [text("2*3*4")]],
  ["* item", [text("* item")]],
  ["**", [text("**")]],
  ["*a\nb*", [text("*a"), { kind: "break" }, text("b*")]],
  ["`a*b*`", [{ kind: "code", text: "a*b*", isBlock: false }]],
  ["```\nx = 1\n```", [{ kind: "code", text: "x = 1", isBlock: true }]],
  ["```aberto", [text("```aberto")]],
  [
    "veja https://a.b/c_d_e.",
    [text("veja "), { kind: "link", text: "https://a.b/c_d_e", href: "https://a.b/c_d_e" }, text(".")],
  ],
  ["www.loja.com", [{ kind: "link", text: "www.loja.com", href: "https://www.loja.com" }]],
  ["*Marina:*\nOi", [{ kind: "bold", pieces: [text("Marina:")] }, { kind: "break" }, text("Oi")]],
])("WhatsApp's formatting in %j is parsed (M-03)", (given, expected) => {
  expect(parseRichText(given)).toEqual(expected);
});

test("no text is lost and only http URLs become links (M-03)", () => {
  const soup = fc.string({
    unit: fc.constantFrom("*", "_", "~", "`", "a", "é", " ", "\n", "<b>", "javascript:", "https://x.y/z"),
  });
  fc.assert(
    fc.property(soup, (given) => {
      const pieces = parseRichText(given);
      const letters = (value: string) => value.replace(/[*_~`\s]/gu, "");
      expect(letters(flatten(pieces))).toBe(letters(given));
      expect(links(pieces).every((href) => /^https?:\/\//u.test(href))).toBe(true);
    }),
  );
});

function flatten(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => ("pieces" in piece ? flatten(piece.pieces) : "text" in piece ? piece.text : "\n"))
    .join("");
}

function links(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) =>
    "pieces" in piece ? links(piece.pieces) : piece.kind === "link" ? [piece.href] : [],
  );
}
