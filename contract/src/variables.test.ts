import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveVariables, variableNames, variableToken, variableValues } from "./variables.ts";

const at = (utc: string, change: Partial<Parameters<typeof variableValues>[0]> = {}) =>
  variableValues({
    contactName: "Camila Souza",
    protocol: "2026112112000017",
    queueName: "Vendas",
    userName: "Ana",
    companyName: "Loja Aurora",
    now: new Date(utc),
    timeZone: "America/Sao_Paulo",
    language: "pt",
    ...change,
  });

test("each variable has its value, in the company's time zone (M-13)", () => {
  // 02:30 in UTC is the evening before in São Paulo.
  expect(at("2026-11-22T02:30:00Z")).toEqual({
    firstName: "Camila",
    name: "Camila Souza",
    greeting: "Boa noite",
    protocol: "2026112112000017",
    date: "21/11/2026",
    hour: "23:30",
    queue: "Vendas",
    agent: "Ana",
    company: "Loja Aurora",
  });
});

test.each([
  ["04:59", "Boa noite"],
  ["05:00", "Bom dia"],
  ["11:59", "Bom dia"],
  ["12:00", "Boa tarde"],
  ["17:59", "Boa tarde"],
  ["18:00", "Boa noite"],
])("at %s one says %s (M-13)", (hour, greeting) => {
  expect(at(`2026-11-21T${hour}:00Z`, { timeZone: "UTC" }).greeting).toBe(greeting);
});

test("greetings speak the language of the text (M-13)", () => {
  const now = "2026-11-21T15:00:00Z";
  expect(at(now, { language: "en" }).greeting).toBe("Good afternoon");
  expect(at(now, { language: "es" }).greeting).toBe("Buenas tardes");
});

test("variables are put in wherever they stand; what is none stays as written (M-13)", () => {
  const values = at("2026-11-21T15:00:00Z");
  expect(resolveVariables("{{greeting}}, {{ firstName }}! {{firstName}}: {{code}} {name}", values)).toBe(
    "Boa tarde, Camila! Camila: {{code}} {name}",
  );
  const all = variableNames.map(variableToken).join("|");
  expect(resolveVariables(all, values)).toBe(variableNames.map((name) => values[name]).join("|"));
});

test.each([
  ["{{ms}}|{{saudação}}|{{ Saudacao }}|{{SALUDO}}", "greeting"],
  ["{{Name}}|{{nome}}|{{ NOMBRE }}", "name"],
  ["{{firstname}}|{{First Name}}|{{primeiro_nome}}|{{primeiro-nome}}|{{primerNombre}}", "firstName"],
  ["{{hora}}|{{HOUR}}", "hour"],
  ["{{data}}|{{fecha}}", "date"],
  ["{{protocolo}}", "protocol"],
  ["{{fila}}|{{cola}}|{{setor}}", "queue"],
  ["{{atendente}}|{{agente}}|{{user}}|{{usuário}}", "agent"],
  ["{{empresa}}", "company"],
] as const)("%s are spellings of %s (B-05)", (text, name) => {
  const values = at("2026-11-21T15:00:00Z");
  expect(resolveVariables(text, values)).toBe(text.replaceAll(/[^|]+/g, values[name]));
});

test.each([
  ["Olá, {{firstName}}!", "Olá!"],
  ["Olá {{firstName}}, tudo bem?", "Olá, tudo bem?"],
  ["Olá, {{firstName}}, tudo bem?", "Olá, tudo bem?"],
  ["{{greeting}}, {{firstName}} {{name}}! Tudo bem?", "Boa tarde! Tudo bem?"],
  ["Olá, *{{firstName}}*!", "Olá!"],
  ["{{firstName}}, seu pedido chegou.", "Seu pedido chegou."],
  ["Olá! {{firstName}}, seu pedido chegou.", "Olá! Seu pedido chegou."],
  ["¡Hola, {{nombre}}!", "¡Hola!"],
  ["¡{{nombre}}, hola!", "¡Hola!"],
  ["Fale com {{agent}} hoje", "Fale com hoje"],
  ["Cliente ({{name}}): oi", "Cliente: oi"],
  ["Olá, {{firstName}}\nTudo bem?", "Olá\nTudo bem?"],
  ["https://loja.example/?p={{name}}&q=1", "https://loja.example/?p=&q=1"],
  ["{{name}}", ""],
])("an empty value leaves no trace: %j is %j (B-05)", (text, expected) => {
  expect(resolveVariables(text, at("2026-11-21T15:00:00Z", { contactName: "5585988771020", userName: null }))).toBe(
    expected,
  );
});

test("no text of blanks, marks and empty values keeps a trace of them, nor loses a word (B-05)", () => {
  const pieces = fc.constantFrom(
    "{{name}}",
    "{{agent}}",
    "Olá",
    "oi",
    " ",
    "  ",
    ",",
    ".",
    "!",
    "¡",
    "(",
    ")",
    "*",
    "_",
    "\n",
  );
  const values = at("2026-11-21T15:00:00Z", { contactName: "5585988771020", userName: null });
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (written) => {
      const resolved = resolveVariables(written.join(""), values);
      expect(resolved).not.toMatch(/[{}\uFDD0]/);
      const words = (text: string) => text.toLowerCase().match(/olá|oi/g) ?? [];
      expect(words(resolved)).toEqual(words(written.join("")));
    }),
  );
});

test("a text without empty values keeps its blanks and commas as written (B-05)", () => {
  const text = "  Oi , Camila !\n\n , fim  ";
  expect(resolveVariables(text.replace("Camila", "{{firstName}}"), at("2026-11-21T15:00:00Z"))).toBe(text);
});

test("a name that looks like a variable is not looked at again (M-13)", () => {
  const values = at("2026-11-21T15:00:00Z", { contactName: "{{protocol}}" });
  expect(resolveVariables("Oi, {{name}}", values)).toBe("Oi, {{protocol}}");
});

test("nobody is greeted by a number (M-13)", () => {
  expect(at("2026-11-21T15:00:00Z", { contactName: "+55 85 98877-1020" })).toMatchObject({ firstName: "", name: "" });
});
