import { expect, test } from "vitest";
import { readYesNo } from "./read-yes-no.ts";

test.each([
  ...["sim", "Sim!", "*SIM*", "s", "S.", "ss", "simmm", "sim, por favor", "oi, sim", "bom dia! sim", "sim obrigada"],
  ...["ok", "OK 👍", "okay", "ok, pode mandar", "pode sim", "quero", "claro que sim", "aceito"],
  ...["1", "1️⃣", "*1*", "[ 1 ]", "1.", "yes", "Yes please", "sí", "Sí, gracias", "si claro", "👍", "👍🏽", "✅"],
])("%s is a yes (K-06)", (text) => {
  expect(readYesNo(text)).toBe("yes");
});

test.each([
  ...["não", "Nao", "NÃO!", "n", "não, obrigado", "não obrigada", "não quero", "oi, não", "agora não"],
  ...["2", "2️⃣", "*2*", "no", "No thanks", "no gracias", "👎", "❌"],
])("%s is a no (K-06)", (text) => {
  expect(readYesNo(text)).toBe("no");
});

test.each([
  ...[
    "",
    "?",
    "sim?",
    "ok?",
    "talvez",
    "quem é?",
    "3",
    "12",
    "sim mas só amanhã",
    "não recebi o boleto",
    "oi",
    "bom dia",
  ],
  ...["no que posso ajudar", "obrigado", "😀", "quanto custa", "s n", "não sei, sim"],
])("%s is neither: a person reads it (K-06)", (text) => {
  expect(readYesNo(text)).toBeUndefined();
});
