import { expect, test } from "vitest";
import { fillCampaignText, isKnownCampaignKey, unknownCampaignVariables } from "./campaign-texts.ts";

const camila = { name: "Camila Souza", number: "5511987654321", email: "camila@exemplo.com.br" };
const variables = [
  { key: "cupom", value: "NATAL10" },
  { key: "loja-2", value: "" },
];
const fill = (text: string, contact = camila) => fillCampaignText(text, contact, variables);

test("contact fields and keys of the settings are put in, however they are written (K-05)", () => {
  expect(fill("Oi {nome}, {NÚMERO} e { Email }: {cupom} {{nome}}")).toBe(
    "Oi Camila Souza, 5511987654321 e camila@exemplo.com.br: NATAL10 Camila Souza",
  );
});

test("what is no variable stays as written, and a value is not read again (K-05)", () => {
  expect(fill("{desconto} {} { } {nome")).toBe("{desconto} {} { } {nome");
  expect(fillCampaignText("{nome}", { ...camila, name: "Ana {cupom}" }, variables)).toBe("Ana {cupom}");
});

test("one without a value goes with its comma and blank (K-05)", () => {
  expect(fill("Olá, {nome}! Tudo bem?", { ...camila, name: "5511987654321" })).toBe("Olá! Tudo bem?");
  expect(fill("Visite a loja {loja-2}.")).toBe("Visite a loja.");
});

test("unknown variables are named once, with the one that was meant (K-03)", () => {
  expect(unknownCampaignVariables("{nomes} {nomes} {cupon} {xyz} {nome}", variables)).toEqual([
    { token: "{nomes}", nearest: "{nome}" },
    { token: "{cupon}", nearest: "{cupom}" },
    { token: "{xyz}", nearest: undefined },
  ]);
});

test("a key is there once, whatever its case and accents, and none is a contact's own (K-08)", () => {
  expect(["Cupom", "CUPÓM", "número", "nome", "LOJA-2"].every((key) => isKnownCampaignKey(key, variables))).toBe(true);
  expect(["cupom2", "loja", "loja_2"].some((key) => isKnownCampaignKey(key, variables))).toBe(false);
});
