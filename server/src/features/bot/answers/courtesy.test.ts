import { expect, test } from "vitest";
import { isThanks } from "./index.ts";

test.each([
  ...["obrigado", "Obrigada!", "obrigadaaa", "obg", "obgd", "brigado", "valeu", "vlw", "agradeço", "grata"],
  ...["muito obrigada", "ok obrigado", "tchau obrigada", "de nada", "ok", "okk", "blz", "beleza", "perfeito", "show"],
  ...["até mais", "tchau", "não, obrigada", "obrigado pela ajuda", "obrigada pelo atendimento viu", "valeu, até mais"],
  ...[
    "ok, muito obrigada! 🙏",
    "obrigado, bom dia pra você",
    "obrigada moça, por tudo",
    "valeu kkkk",
    "obrigada <3",
    "eu que agradeço",
    "só isso mesmo, obrigada",
    "Deus abençoe",
  ],
  ...["thanks", "Thank you so much!", "thx", "ty", "cheers", "ok thanks, bye", "thank you for your help"],
  ...["gracias", "muchas gracias", "mil gracias", "vale gracias", "gracias, hasta luego"],
  ...["👍", "👍🏽", "❤️", "🙏😊", "👏 👏", "🇧🇷", "<3"],
])("%j needs no answer (B-02)", (text) => {
  expect(isThanks(text)).toBe(true);
});

test.each([
  ...["", " ", ".", "?", "👍?", "1", "oi", "bom dia", "bom dia pra você", "boa noite 👋", "sim", "não", "kkkk"],
  ...[
    "obrigado, mas ainda tenho um problema",
    "ok mas e o boleto?",
    "ok?",
    "obrigada, e o boleto",
    "ok, quero comprar",
  ],
  ...[
    "obrigado por nada resolvido",
    "péssimo atendimento",
    "ok, aguardo o boleto",
    "não ok",
    "thanks but it does not work",
    "gracias pero no",
    "não foi perfeito",
  ],
  "ok ok ok ok ok ok ok ok ok",
])("%j may ask for something (B-02)", (text) => {
  expect(isThanks(text)).toBe(false);
});
