import { errorStatus, type ErrorCode } from "@prosa/contract/errors";
import { expect, test } from "vitest";
import { errorFromAnswer } from "#web/lib/api/apiError.ts";
import { serverErrorWords } from "@prosa/contract/server-errors.i18n";
import { errorText } from "#web/lib/api/errors.i18n.ts";
import { defineMessages, fill, languages, translator, type Message, type Messages } from "./i18n.ts";
import { findingText } from "@prosa/contract/validation.i18n";

const messages = defineMessages({
  pt: { hello: "Olá, {name}", found: { zero: "Nada", one: "{count} contato", other: "{count} contatos" } },
  en: { hello: "Hello, {name}", found: { one: "{count} contact", other: "{count} contacts" } },
  es: { hello: "Hola, {name}", found: { one: "{count} contacto", other: "{count} contactos" } },
});

test("a text is filled with its values", () => {
  expect(translator(messages, "pt")("hello", { name: "Marina" })).toBe("Olá, Marina");
});

test("a value that looks like a placeholder stays what it is", () => {
  expect(translator(messages, "en")("hello", { name: "{count}" })).toBe("Hello, {count}");
});

test.each([
  ["pt", 0, "Nada"],
  ["pt", 1, "1 contato"],
  ["pt", 2, "2 contatos"],
  ["pt", 1_000_000, "1.000.000 contatos"],
  ["en", 0, "0 contacts"],
  ["en", 1, "1 contact"],
  ["es", 1234567, "1,234,567 contactos"],
] as const)("%s, %i: %s", (language, count, text) => {
  expect(translator(messages, language)("found", { count })).toBe(text);
});

test("what names a thing is given as text: as a number it would be grouped like a quantity, which is a type error", () => {
  const t = translator(
    defineMessages({ pt: { of: "Fatura {id}" }, en: { of: "Invoice {id}" }, es: { of: "Factura {id}" } }),
    "en",
  );

  expect(t("of", { id: String(1234) })).toBe("Invoice 1234");
  // @ts-expect-error an id is no quantity
  expect(t("of", { id: 1234 })).toBe("Invoice 1,234");
});

test("a language that lacks a text falls back to Portuguese (S-08)", () => {
  const gap = { pt: { a: "sim" }, en: {}, es: {} } as unknown as Messages<{ a: string }>;

  expect(translator(gap, "en")("a")).toBe("sim");
});

test.each(languages)("every error of the contract has words, and none is a code, in %s (S-08, E-01)", (language) => {
  for (const code of Object.keys(errorStatus) as ErrorCode[]) {
    expect(serverErrorWords[language][code], code).toMatch(/\p{L}{2,}/u);
    expect(serverErrorWords[language][code], code).not.toMatch(/ERR_|WAPP/);
  }
});

test.each([
  ["pt", "Ocorreu um erro!"],
  ["en", "An error occurred!"],
  ["es", "¡Ocurrió un error!"],
] as const)("what nobody foresaw is told in %s, and nothing internal with it (E-02)", (language, words) => {
  expect(errorText(new TypeError("rows is not iterable"), language)).toContain(words);
  const answer = { error: "ERR_INTERNAL", requestId: "r1", message: "relation does not exist" };
  expect(errorText(errorFromAnswer(500, answer), language)).toContain(words);
  expect(errorText(errorFromAnswer(500, "<html>"), language)).toContain(words);
});

const modules = import.meta.glob<Record<string, unknown>>(
  ["../../**/*.i18n.ts", "../../../../contract/src/*.i18n.ts"],
  { eager: true },
);
const sets = Object.entries(modules).flatMap(([file, module]) =>
  Object.values(module)
    .filter(isMessages)
    .map((set) => [file, set] as const),
);

test("there are texts to check", () => {
  expect(sets.length).toBeGreaterThan(2);
});

test.each(sets)("%s says the same in three languages, with the same placeholders (S-08)", (_, set) => {
  for (const language of languages) {
    expect(Object.keys(set[language]).toSorted()).toEqual(Object.keys(set.pt).toSorted());
    for (const [key, message] of Object.entries(set[language])) {
      expect(namesOf(message), `${language}.${key}`).toEqual(namesOf(set.pt[key] ?? ""));
      expect(textOf(message), `${language}.${key}`).not.toBe("");
    }
  }
});

test("a field says what is wrong in the chosen language", () => {
  expect(findingText({ message: "Too Short!", code: "too_small", origin: "string", minimum: 5 }, "pt")).toBe(
    "Muito curto! Ao menos 5 caracteres",
  );
  expect(findingText({ message: "Too Short!", isEmpty: true }, "pt")).toBe("Obrigatório");
  expect(findingText({ message: "Invalid email", code: "invalid_format" }, "es")).toBe("Correo inválido");
  expect(findingText({ message: "Word of the bot" }, "pt")).toBe("0, #, sair, exit e salir são do robô");
  expect(findingText({ message: "Informe o setor", code: "custom", isEmpty: true }, "es")).toBe("Elija la cola");
  expect(findingText({ message: "Private address" }, "en")).toMatch(/private networks/);
  expect(findingText({ message: "Selecione uma fila", code: "custom" }, "pt")).toBe("Selecione uma fila");
  expect(findingText({ message: "Invalid input: expected number", code: "invalid_type" }, "en")).toBe("Invalid value");
});

test("numbers are written as the language writes them", () => {
  expect(fill("{n}", { n: 1234.5 }, "pt")).toBe("1.234,5");
});

function isMessages(value: unknown): value is Messages {
  return typeof value === "object" && value !== null && "pt" in value && "en" in value && "es" in value;
}

function textOf(message: Message): string {
  return typeof message === "string" ? message : message.other;
}

function namesOf(message: Message): string[] {
  return [...textOf(message).matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").toSorted();
}
