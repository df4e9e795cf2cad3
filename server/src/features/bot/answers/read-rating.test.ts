import { expect, test } from "vitest";
import { defaultTextsIn } from "../default-texts.ts";
import { asksBesideRating, readRating } from "./index.ts";

test.each([
  ["1", 1],
  [" 3 ", 3],
  ["3️⃣", 3],
  ["*2*", 2],
  ["3.", 3],
  ["nota 3", 3],
  ["Nota: 2", 2],
  ["dou 3", 3],
  ["dou um 3!", 3],
  ["três", 3],
  ["3 estrelas", 3],
  ["três estrelas", 3],
  ["3 pelo ótimo atendimento", 3],
  ["2 stars, thanks", 2],
  ["⭐⭐⭐", 3],
  ["3 - muito bom", 3],
  ["3, muito bom!", 3],
  ["3 muito bom", 3],
  ["3 obrigada!", 3],
  ["3\nObrigada pelo atendimento", 3],
  ["obrigada! 3", 3],
  ["Muito satisfeita, obrigada!", 3],
  ["fiquei satisfeito", 2],
  ["3 muito satisfeito", 3],
])("%j rates with %i (B-02)", (text, rating) => {
  expect(readRating(text)).toBe(rating);
});

test.each([
  "",
  "0",
  "4",
  "nota 10",
  "10:30",
  "3 pessoas",
  "um bom",
  "2 ou 3",
  "3 dias e nada",
  "obrigada!",
  "não fiquei satisfeito",
  "⭐⭐⭐⭐⭐",
  "oi",
  "1) quero cancelar\n2) quero o reembolso",
  "1 - troca do sofá\n*2* - nota fiscal",
  "1) a troca 2) a nota fiscal",
])("%j is no rating (B-02)", (text) => {
  expect(readRating(text)).toBeUndefined();
});

test.each([
  "2, mas ainda não recebi o código, podem reenviar?",
  "1) quero cancelar o pedido 4412",
  "1 - quero cancelar",
  "1\nquero saber do meu pedido",
  "3, e a nota fiscal?",
  "2 - entregaram o sofá azul e não o verde",
  "foi ótimo mas falta a nota fiscal do sofá, nota 3",
  ...["2, mas quero cancelar", "2, e quero cancelar", "quero cancelar, nota 1", "2, but i want to cancel"],
  ...[
    "2, cadê meu pedido",
    "3, quando chega o sofá",
    "2, where is my order",
    "2, y cuándo llega",
    "2, como faço a troca",
  ],
  ...["1 - não recebi o produto", "2, ainda não chegou", "2 - falta a nota", "1, no me llegó nada", "1, never arrived"],
  ...["2, e a nota fiscal", "2, and the invoice", "3, me liga amanhã", "3, me manda a nota", "1 - cancelem meu pedido"],
  ...["3, aguardo o reembolso", "2, podem me ligar", "3, quero agradecer mas falta a nota"],
  ...["1, não recebemos o pedido", "2, não chegaram os produtos", "1, não entregaram nada", "1, não foi entregue"],
  ...["1, nunca chegou", "1, nunca recebi o produto", "1, no recibimos nada", "1, no llegaron", "1, no me ha llegado"],
  ...["1, i didn't get it", "1, I didn’t receive it", "1, never received it", "1, never arrived", "1, not delivered"],
  ...["1, devolvam meu dinheiro", "1, reembolso", "1, meu dinheiro", "1, refund", "1, devuélvanme el dinero"],
  ...["2, me falta la factura", "2, faltan dos cajas", "2, e a nota fiscal, boa tarde", "3, ótimo, e a nota fiscal"],
  ...["2, items missing", "1, not received so far"],
])("%j rates and asks for something (B-02)", (text) => {
  expect([readRating(text), asksBesideRating(text)]).toEqual([expect.any(Number), true]);
});

test.each([
  ...["3", "3?", "3 - muito bom", "3, muito bom!", "3, ótimo atendimento, obrigado pela ajuda", "três estrelas"],
  ...["2 - demorou um pouco", "3 pelo ótimo atendimento", "foi ótimo, nota 3", "Muito satisfeita, obrigada!"],
  ...["3, ok?", "3\nObrigada pelo atendimento", "1 - Insatisfeito", "⭐⭐⭐"],
  ...[
    "3, quero agradecer a Maria",
    "3, gostaria de parabenizar a equipe",
    "3, i want to thank maria",
    "3, quero agradecer",
  ],
  ...[
    "3, é a melhor loja",
    "3, como sempre ótimo",
    "3, what a great service",
    "3, não faltou nada",
    "3, não falta nada",
  ],
  ...["2, poderia ser melhor", "2, poderia ser mais rápido", "2, mas demorou", "1 - não gostei"],
  ...["3, é o máximo!", "3, É a perfeição", "3, e\u0301 a minha favorita", "3, e o maximo", "3, é só isso, obrigado"],
  ...["3, e o atendimento excelente", "3, e a Maria é ótima", "3, y el trato excelente", "3, and the best service"],
  ...[
    "3, nunca falta nada",
    "3, não me falta nada",
    "3, no me falta nada",
    "3, no hace falta más",
    "3, nothing missing",
  ],
  ...["1, falta de educação", "2, falta de atenção", "3, never received better service", "3, never got such service"],
  ...[
    "3, nunca recebi atendimento melhor",
    "3, nunca chegou atrasado",
    "3, nunca llega tarde",
    "3, never arrives late",
  ],
  ...["3, no recebimento foi ótimo", "3, reembolso rápido"],
])("%j rates and asks for nothing (B-02)", (text) => {
  expect([readRating(text), asksBesideRating(text)]).toEqual([expect.any(Number), false]);
});

test.each(["pt", "en", "es"] as const)(
  "the lines of the default request rate as printed and as words: %s (B-02)",
  (language) => {
    const lines = defaultTextsIn(language).rateUs.split("\n").slice(-3);
    expect(lines.map(readRating)).toEqual([1, 2, 3]);
    expect(lines.map((line) => readRating(line.replace(/^.* - /u, "")))).toEqual([1, 2, 3]);
  },
);
