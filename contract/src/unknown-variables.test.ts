import { expect, test } from "vitest";
import { unknownVariables } from "./unknown-variables.ts";
import { variableNames, variableToken } from "./variables.ts";

test("known variables in any spelling, and the single braces of campaigns, are not warned of (B-05)", () => {
  expect(unknownVariables(variableNames.map(variableToken).join(" "))).toEqual([]);
  expect(unknownVariables("{{ Saudação }}, {{primeiro_nome}}! {nome} {{ms}} {} {{aberto")).toEqual([]);
});

test("each unknown variable is named once, as written (B-05)", () => {
  expect(unknownVariables("{{cupom}} {{ CPF }} {{cupom}} {{}}").map(({ token }) => token)).toEqual([
    "{{cupom}}",
    "{{ CPF }}",
    "{{}}",
  ]);
});

test.each([
  ["{{nme}}", "{{name}}"],
  ["{{fristName}}", "{{firstName}}"],
  ["{{gretting}}", "{{greeting}}"],
  ["{{Protocoloo}}", "{{protocol}}"],
  ["{{saudasao}}", "{{greeting}}"],
  ["{{nomeCliente}}", "{{name}}"],
  ["{{primeiro_nome_cliente}}", "{{firstName}}"],
])("%s is probably %s (B-05)", (token, nearest) => {
  expect(unknownVariables(`Oi ${token}`)).toEqual([{ token, nearest }]);
});

test.each(["{{code}}", "{{cpf}}", "{{mes}}", "{{x}}", "{{}}", "{{constructor}}", `{{${"a".repeat(5000)}}}`])(
  "%s is near to none (B-05)",
  (token) => {
    expect(unknownVariables(token)).toEqual([{ token, nearest: undefined }]);
  },
);
