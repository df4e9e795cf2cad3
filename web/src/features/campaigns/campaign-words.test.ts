import { expect, test } from "vitest";
import { createFormat } from "#web/lib/text/format.ts";
import { translator } from "#web/lib/text/i18n.ts";
import type { Hold } from "./campaign-states.ts";
import { holdText } from "./campaign-words.ts";
import { campaignMessages } from "./campaigns.i18n.ts";

// 09:00 in São Paulo
const now = Date.parse("2026-11-25T12:00:00Z");
const words = (hold: Partial<Hold>) =>
  holdText(
    { reason: "limited", until: undefined, line: "Vendas", isWhole: true, ...hold },
    now,
    translator(campaignMessages, "pt"),
    createFormat("pt", "America/Sao_Paulo"),
  );

test.each<[string, Partial<Hold>]>([
  [
    "Pausada: o WhatsApp limitou novas conversas até 14:30",
    { reason: "limited", until: new Date("2026-11-25T17:30:00Z") },
  ],
  ["Pausada: o WhatsApp limitou novas conversas", { reason: "limited" }],
  ["Fora do horário, continua amanhã às 08:00", { reason: "hours", until: new Date("2026-11-26T11:00:00Z") }],
  ["Fora do horário, continua em 30/11 às 08:00", { reason: "hours", until: new Date("2026-11-30T11:00:00Z") }],
  [
    "Vendas espera: fora do horário, continua às 10:00",
    { reason: "hours", until: new Date("2026-11-25T13:00:00Z"), isWhole: false },
  ],
  [
    "Limite diário de Vendas atingido, continua amanhã às 00:00",
    { reason: "dailyCap", until: new Date("2026-11-26T03:00:00Z"), isWhole: false },
  ],
  ["Pausada: Vendas está desconectada, continua quando ela voltar", { reason: "disconnected" }],
  ["Começa quando a importação da lista terminar", { reason: "import", until: new Date("2026-11-25T12:30:00Z") }],
  ["Parada: a conexão foi excluída. Cancele a campanha, escolha outra e reinicie", { reason: "noLine", line: "" }],
])("a held campaign says %j (K-04)", (text, hold) => {
  expect(words(hold)).toBe(text);
});
