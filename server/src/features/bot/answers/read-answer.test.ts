import fc from "fast-check";
import { expect, test } from "vitest";
import { matchChoice, readAnswer } from "./index.ts";

const menu = (...titles: readonly string[]) => titles.map((title, index) => ({ option: String(index + 1), title }));
const shop = menu("Vendas", "Financeiro", "Assistência técnica", "2ª via do boleto");
const lettered = [
  { option: "a", title: "Sim" },
  { option: "não", title: "Agora não" },
  { option: "?", title: "Dúvidas" },
];

test.each([
  ["1", "Vendas"],
  ["dois", "Financeiro"],
  ["opção 3", "Assistência técnica"],
  ["*[ 2 ]* - Financeiro", "Financeiro"],
  ["1 vendas", "Vendas"],
  ["1 vendas por favor", "Vendas"],
  ["vendas 1", "Vendas"],
  ["preciso do financeiro", "Financeiro"],
  ["Vendas", "Vendas"],
  ["VENDAS!!", "Vendas"],
  ["vend", "Vendas"],
  ["assistencia tecnica", "Assistência técnica"],
  ["assist", "Assistência técnica"],
  ["vendas por favor", "Vendas"],
  ["vend por favor", "Vendas"],
  ["oi, vendas, obrigada 🙏", "Vendas"],
  ["quero falar com o financeiro", "Financeiro"],
  ["setor de vendas", "Vendas"],
  ["2ª via", "2ª via do boleto"],
])("in the menu of the shop, %j chooses %s (B-02)", (text, title) => {
  expect(matchChoice(shop, text)?.title).toBe(title);
});

test.each([
  "",
  "5",
  "ven",
  "vendedor",
  "2024",
  "boleto",
  "quanto custa?",
  "vendas ou financeiro",
  "10:30",
  "🙂",
  "\u200b",
])("in the menu of the shop, %j chooses nothing (B-02)", (text) => {
  expect(matchChoice(shop, text)).toBeUndefined();
});

test.each([
  ["A", "Sim"],
  ["a)", "Sim"],
  ["a por favor", "Sim"],
  ["*[ a ]* - Sim", "Sim"],
  ["sim por favor", "Sim"],
  ["NAO", "Agora não"],
  ["não, obrigada", "Agora não"],
  ["?", "Dúvidas"],
  ["1", undefined],
])("options may be words or signs: %j chooses %s (B-02)", (text, title) => {
  expect(matchChoice(lettered, text)?.title).toBe(title);
});

test("what fits two choices chooses neither (B-02)", () => {
  expect(matchChoice(menu("Financeiro", "Finalizar"), "fina")).toBeUndefined();
  expect(matchChoice(menu("Vendas", "Vendas"), "vendas")).toBeUndefined();
  expect(matchChoice(menu("Vendas", "Vendas"), "2")?.option).toBe("2");
  expect(matchChoice(menu("Vendas", "Vendas no atacado"), "vendas")?.option).toBe("1");
  expect(matchChoice(menu("🍕", "🍔"), "🍔")?.option).toBe("2");
});

test.each([
  ["#", "mainMenu"],
  ["#️⃣", "mainMenu"],
  ["*[ # ]* - Menu inicial", "mainMenu"],
  ["Menu inicial", "mainMenu"],
  ["menu", "mainMenu"],
  ["voltar ao início", "mainMenu"],
  ["0", "previousMenu"],
  ["0️⃣", "previousMenu"],
  ["*[ 0 ]* - Voltar", "previousMenu"],
  ["voltar", "previousMenu"],
  ["back", "previousMenu"],
  ["Volver", "previousMenu"],
  ["Sair.", "stop"],
  ["*sair*", "stop"],
  ["atendente", "stop"],
  ["humano", "stop"],
  ["PESSOA", "stop"],
  ["exit", "stop"],
  ["agent", "stop"],
  ["Human!", "stop"],
  ["person", "stop"],
  ["salir", "stop"],
  ["agente", "stop"],
  ["persona", "stop"],
  ["atendente por favor", "stop"],
  ["um atendente, por favor", "stop"],
  ["oi, quero falar com um atendente", "stop"],
  ["quero falar com um atendente", "stop"],
  ["Falar com atendente", "stop"],
  ["preciso falar com uma pessoa", "stop"],
  ["quero falar com alguém", "stop"],
  ["me transfere para um atendente", "stop"],
  ["quero sair", "stop"],
  ["quero atendimento humano", "stop"],
  ["talk to an agent", "stop"],
  ["I'd like to talk to a person, please", "stop"],
  ["quiero hablar con un agente", "stop"],
])("%j is the command %s (B-02, B-03)", (text, command) => {
  expect(readAnswer(shop, text)).toEqual({ kind: "command", command });
});

test.each([
  "não quero falar com atendente",
  "o atendente de ontem não me respondeu",
  "2 pessoas",
  "alguém?",
  "quero sair de férias",
  "##",
  "oi",
  "bom dia",
  "obrigada",
  "0800 123 456",
])("%j is another text (B-02)", (text) => {
  expect(readAnswer(shop, text)).toEqual({ kind: "other" });
});

test("a choice comes before the words, the keys of every menu before choices (B-02)", () => {
  const [person] = menu("Atendente");
  expect(readAnswer(menu("Atendente"), "atendente")).toEqual({ kind: "choice", choice: person });
  expect(readAnswer(menu("Voltar a comprar"), "voltar")).toMatchObject({ kind: "choice" });
  // An option of before the rule that forbids these names.
  expect(readAnswer([{ option: "0", title: "Vendas" }], "0")).toMatchObject({ kind: "choice" });
  expect(readAnswer(menu("# Promoções"), "#")).toEqual({ kind: "command", command: "mainMenu" });
});

test("each line of a menu is chosen by its option, as printed, and by its title if no other has it (B-02)", () => {
  const title = fc
    .stringMatching(/^[A-Za-zà-öø-ú]{3,12}( [A-Za-zà-öø-ú]{3,12})?$/u)
    .filter((each) => readAnswer([], each).kind === "other");
  const menus = fc
    .uniqueArray(title, {
      minLength: 1,
      maxLength: 12,
      selector: (each) => each.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase(),
    })
    .map((titles) => menu(...titles));
  fc.assert(
    fc.property(menus, fc.nat(), (choices, nth) => {
      const choice = choices[nth % choices.length];
      const { option = "", title: words = "" } = choice ?? {};
      for (const text of [option, `${option}.`, `*[ ${option} ]* - ${words}`, words, words.toUpperCase()]) {
        expect(readAnswer(choices, text)).toEqual({ kind: "choice", choice });
      }
    }),
  );
});

test("no text breaks the reading (B-02)", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void readAnswer(shop, text)));
});

test.each(["ok ", "1 ", "[[", " -", "quero ", " ", "um. "])("a long message of %j is read at once (B-02)", (part) => {
  const begin = performance.now();
  readAnswer(shop, `${part.repeat(20_000)}x`);
  expect(performance.now() - begin).toBeLessThan(500);
});
