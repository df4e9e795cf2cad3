import type { QuickMessage } from "@prosa/contract/quick-messages";
import { expect, test } from "vitest";
import { previewOf, suggestionsFor } from "./suggestions.ts";

const one = (shortcode: string, message: string): QuickMessage => ({
  id: 1,
  shortcode,
  message,
  geral: true,
  status: true,
  isMedia: false,
  mediaPath: null,
  mediaName: null,
  mediaUrl: null,
  userId: 1,
});

const all = [
  one("bomdia", "Bom dia! Como posso ajudar?"),
  one("pix", "Chave Pix da loja"),
  one("prazo", "Até 5 dias úteis"),
];
const found = (text: string) => suggestionsFor(text, all).map(({ shortcode }) => shortcode);

test.each([
  ["", []],
  ["/", []],
  ["pix", []],
  ["oi /pix", []],
  ["/pix\n", []],
  ["/p", ["pix", "prazo", "bomdia"]],
  ["/PRAZO", ["prazo"]],
  ["/ate 5", ["prazo"]],
  ["/úteis", ["prazo"]],
  ["/pix - chave", ["pix"]],
  ["/nada", []],
])("%j suggests %j (M-12)", (text, shortcodes) => {
  expect(found(text)).toEqual(shortcodes);
});

test("a shortcode that was saved with its slash is found as well (M-12)", () => {
  expect(suggestionsFor("/ola", [one("/ola", "Olá!")])).toHaveLength(1);
});

test("a preview is cut at 35 characters, on one line (M-12)", () => {
  expect(previewOf(all[1]!)).toBe("/pix - Chave Pix da loja");
  expect(previewOf(one("longo", "linha um\nlinha dois e mais um pouco"))).toBe("/longo - linha um linha dois e mais…");
  expect([...previewOf(one("e", "😀".repeat(60)))]).toHaveLength(36);
});
