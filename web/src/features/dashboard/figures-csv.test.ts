import { expect, test } from "vitest";
import { createFormat } from "#web/lib/text/format.ts";
import { translator } from "#web/lib/text/i18n.ts";
import { dashboardMessages } from "./dashboard.i18n.ts";
import { figuresCsv } from "./figures-csv.ts";

const shown = {
  figures: {
    counters: { supportHappening: 1, supportPending: 2, supportFinished: 6, avgSupportTime: 75, avgWaitTime: 5 },
    attendants: [
      { id: 1, name: "=Ana", rating: 2.5, avgSupportTime: 45, tickets: 4, online: true },
      { id: 2, name: "Bruno; B", rating: null, avgSupportTime: 0, tickets: 0, online: false },
    ],
    comparison: null,
  },
  perUser: [
    { label: "=Ana", total: 4 },
    { label: "Sem atendente ou que já saíram", total: 2 },
  ],
  perDay: [{ label: "09:00", total: 3 }],
};
const linesOf = (from: string, to: string) =>
  figuresCsv(shown, { from, to }, translator(dashboardMessages, "pt"), createFormat("pt", "America/Sao_Paulo")).split(
    "\r\n",
  );

test("painel.csv holds what the dashboard shows, harmless to spreadsheets (D-02, D-03, D-04)", () => {
  expect(linesOf("2026-11-21", "2026-11-21")).toEqual([
    "Período;21/11/2026 a 21/11/2026",
    "",
    "Em atendimento;1",
    "Aguardando;2",
    "Finalizadas;6",
    "Tempo médio de atendimento;01 h 15 m",
    "Tempo médio de espera;00 h 05 m",
    "",
    "Nome;Avaliação;Tempo médio de atendimento;Conversas;Estado",
    "'=Ana;2.5;00 h 45 m;4;Online",
    '"Bruno; B";;00 h 00 m;0;Offline',
    "Sem atendente ou que já saíram;;;2;",
    "",
    "Conversas por atendente;Total",
    "'=Ana;4",
    "Sem atendente ou que já saíram;2",
    "",
    "Conversas por hora;Total",
    "09:00;3",
    "",
  ]);
});

test.each([
  ["2026-11-01", "", "Período;De 01/11/2026"],
  ["", "2026-11-21", "Período;Até 21/11/2026"],
])(
  "painel.csv says from which days its figures are, also where the range is open: %j to %j (D-01)",
  (from, to, line) => {
    expect(linesOf(from, to)[0]).toBe(line);
  },
);
