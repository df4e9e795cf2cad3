import { expect, test } from "vitest";
import { withSnippets } from "./snippets.ts";

/** The parts of a found text: alternately outside and inside of a match. */
function partsOf(text: string, searchParam: string): readonly string[] {
  const [found] = JSON.parse(withSnippets(JSON.stringify([{ text }]), searchParam)) as { snippet: string[] }[];
  return found!.snippet;
}

test.each([
  ["Arabic, whose hamza is a mark of its own once decomposed", "السلام عليكم أحمد معك", "أحمد"],
  ["Hindi, whose vowels are marks", "आपको नमस्ते जी", "नमस्ते"],
  ["Russian", "это мой йогурт", "йогурт"],
  ["Vietnamese", "đơn đặt đến thế nào", "thế"],
])("a word in %s is shown in the text that has it (T-03)", (_, text, word) => {
  const [before, after] = text.split(word);
  expect(partsOf(text, word)).toEqual([before, word, after]);
});

test.each([
  ["the nao", "đơn hàng thế nào", ["đơn hàng ", "thế", " ", "nào", ""]],
  ["đồng tương", "nam dong va tuong ot", ["nam ", "dong", " va ", "tuong", " ot"]],
  ["dong tuong", "năm Đồng và Tương ớt", ["năm ", "Đồng", " và ", "Tương", " ớt"]],
  ["ação", "Acao ou AÇÃO", ["", "Acao", " ou ", "AÇÃO", ""]],
])("accents of Latin letters make no difference, stacked ones too: %s (T-03)", (searchParam, text, parts) => {
  expect(partsOf(text, searchParam)).toEqual(parts);
});
