import fc from "fast-check";
import { expect, test } from "vitest";
import { readNumber } from "./index.ts";

test.each([
  ["1", 1],
  ["1.", 1],
  ["1)", 1],
  ["*1*", 1],
  ["[1]", 1],
  ["*[ 1 ]*", 1],
  ["1️⃣", 1],
  ["🔟", 10],
  ["１", 1],
  ["01", 1],
  [" 2 ", 2],
  ["2!!!", 2],
  ["#3", 3],
  ["nº 1", 1],
  ["n. 1", 1],
  ["opção 1", 1],
  ["opcao 1", 1],
  ["Opção1", 1],
  ["Opção: 4", 4],
  ["a opção 2", 2],
  ["quero a 2", 2],
  ["option 1", 1],
  ["opción 1", 1],
  ["número 1", 1],
  ["numero dois", 2],
  ["nota 3", 3],
  ["dou 3", 3],
  ["dou nota 3", 3],
  ["um", 1],
  ["Uma.", 1],
  ["dois", 2],
  ["duas", 2],
  ["três", 3],
  ["VINTE", 20],
  ["one", 1],
  ["twelve", 12],
  ["uno", 1],
  ["dos", 2],
  ["zero", 0],
  ["1 por favor", 1],
  ["1, obrigada", 1],
  ["1 👍", 1],
  ["um por favor", 1],
  ["dois, obrigado!", 2],
  ["oi, 1", 1],
  ["Bom dia! *2*", 2],
  ["3 - muito bom", 3],
  ["*[ 1 ]* - Vendas", 1],
  ["1) quero comprar", 1],
  ["1: Vendas", 1],
  ["5 (cinco)", 5],
  ["um - Vendas", 1],
  ["1\nquero saber do meu pedido", 1],
  ["2024", 2024],
])("%j is the number %i (B-02)", (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test.each([
  "",
  "oi",
  "10:30",
  "1,5",
  "1.5",
  "1/2",
  "5%",
  "R$ 10",
  "1-2",
  "1 e 2",
  "10 - 15h",
  "2 pessoas",
  "1234567",
  "11 98888-7777",
  "(11) 98888-7777",
  "+55 11 98888-7777",
  "18/11/2026",
  "um momento",
  "um momento, por favor",
  "uma dúvida",
  "um abraço",
  "um bom dia",
  "uma maravilha",
  "um. não sei",
  "once upon a time",
  "nove horas",
  "nota fiscal",
  "1 nota fiscal",
  "1a via",
  "b2b",
  "A1",
  "quero 2 pizzas",
  "<3",
  "🙂",
])("%j is no number (B-02)", (text) => {
  expect(readNumber(text)).toBeUndefined();
});

test("any number is read in any dress, and never out of a longer number (B-02)", () => {
  const dress = fc.constantFrom(
    "%",
    "*%*",
    "[%]",
    "*[ % ]*",
    "%.",
    "%)",
    "opção %",
    "nº %",
    "% por favor",
    "% - Vendas",
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), dress, (number, how) => {
      expect(readNumber(how.replace("%", String(number)))).toBe(number);
      expect(readNumber(how.replace("%", `${number}:30`))).toBeUndefined();
      expect(readNumber(how.replace("%", `${number} 98888-7777`))).toBeUndefined();
    }),
  );
});
