import { expect, test } from "vitest";
import type { Language } from "@prosa/contract/i18n";
import type { ExportedMessage } from "./export.queries.ts";
import { personalDataPage } from "./export-page.ts";

const message: ExportedMessage = {
  id: 1,
  ticketId: 1,
  sentAt: "2026-03-05T15:04:05.000Z",
  fromMe: true,
  type: "document",
  body: "<b>oi</b>",
  transcript: null,
  isDeleted: false,
  fileName: "a & b.pdf",
  mimeType: "application/pdf",
  storageKey: "k",
};

const facts = {
  contact: {
    id: 7,
    name: "Ana",
    email: "",
    isBlocked: false,
    optedOutAt: null,
    extraInfo: [{ name: "CPF", value: "123" }],
    createdAt: "2026-03-05T12:00:00+00:00",
  },
  conversations: [
    { id: 1, status: "pending", queue: null },
    { id: 2, status: "closed", queue: "Vendas" },
  ],
  campaigns: [{ campaign: "Maio", state: "optedOut" }],
  optOuts: [{ at: "2026-03-05T12:00:00+00:00", source: "word", word: "parar" }],
  notes: [],
};

async function pageIn(language: Language): Promise<string> {
  const one = async function* () {
    yield message;
  };
  const none = async function* () {};
  let page = "";
  const locale = { language, timeZone: "America/Sao_Paulo" };
  for await (const piece of personalDataPage({
    locale,
    facts,
    messages: one,
    groupMessages: none,
    pathOf: () => "arquivos/1-a & b.pdf",
  })) {
    page += piece;
  }
  return page;
}

test("the data of a person are a page to read: several rows beside their headings, times of the company, no column's name (V-02)", async () => {
  const page = await pageIn("pt");
  expect(page).toContain('<html lang="pt-BR">');
  expect(page).toContain("<tr><th>Criação</th><td>05/03/2026, 09:00:00</td></tr>");
  expect(page).toContain("<tr><th>Outros dados</th><td>CPF: 123</td></tr>");
  expect(page).toContain("<tr><th>Bloqueado</th><td>Não</td></tr>");
  expect(page).toContain(
    "<tr><th>Estado</th><th>Fila</th></tr><tr><td>Aguardando</td><td>–</td></tr><tr><td>Resolvida</td>",
  );
  expect(page).toContain("<td>Não quer receber</td>");
  expect(page).toContain("<td>O contato pediu</td>");
  expect(page).toContain("<small>Empresa · 05/03/2026, 12:04:05</small><br>&lt;b&gt;oi&lt;/b&gt;");
  expect(page).toContain('<a href="arquivos/1-a%20&amp;%20b.pdf">a &amp; b.pdf</a>');
  expect(page).not.toMatch(/Notas|Mensagens em grupos|extraInfo|<th>id</u);
});

test("and in English and Spanish where the company speaks them (V-02)", async () => {
  expect(await pageIn("en")).toMatch(/lang="en-US".*Personal data.*3\/5\/26, 9:00:00\sAM.*Waiting.*Opted out/su);
  expect(await pageIn("es")).toMatch(/lang="es-419".*Datos personales.*En espera.*No quiere recibir/su);
});
