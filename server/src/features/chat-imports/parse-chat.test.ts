import { expect, test } from "vitest";
import { parseChat } from "./parse-chat.ts";

const short = (text: string) =>
  parseChat(text).lines.map(({ at, author, body, file, omitted }) => [at, author, body, file ?? omitted]);

test("Android in Portuguese: lines that go on, files with captions, hidden media, notices (E-09)", () => {
  const chat = [
    "12/03/2024 14:05 - As mensagens e ligações são protegidas com a criptografia de ponta a ponta.",
    "12/03/2024 14:05 - João da Silva: Bom dia",
    "Segue a lista:",
    "- 2 pães: quentes",
    "13/03/2024 09:10 - Loja: IMG-20240313-WA0001.jpg (arquivo anexado)",
    "Olha que bonito",
    "13/03/2024 09:11 - João da Silva: <Mídia oculta>",
    "13/03/2024 09:12 - João da Silva: Mensagem apagada",
    "13/03/2024 09:13 - Loja: às 10h: combinado <Mensagem editada>",
  ].join("\n");
  expect(short(chat)).toEqual([
    ["2024-03-12T14:05:00", "João da Silva", "Bom dia\nSegue a lista:\n- 2 pães: quentes", null],
    ["2024-03-13T09:10:00", "Loja", "Olha que bonito", "IMG-20240313-WA0001.jpg"],
    ["2024-03-13T09:11:00", "João da Silva", "", "image"],
    ["2024-03-13T09:12:00", "João da Silva", "", null],
    ["2024-03-13T09:13:00", "Loja", "às 10h: combinado", null],
  ]);
  expect(parseChat(chat)).toMatchObject({ notices: 1, lines: [{}, {}, {}, { isDeleted: true }, { isEdited: true }] });
});

test("iOS: brackets, seconds, marks that cannot be seen, and notices in the name of the chat (E-09)", () => {
  const chat = [
    "\u200E[12/03/2024, 14:05:33] Ana Luz: \u200EMessages and calls are end-to-end encrypted.",
    "[12/03/2024, 14:05:34] ~ Ana Luz: Oi",
    "\u200E[12/03/2024, 14:06:00] Loja: \u200E<anexado: 00000002-PHOTO-2024-03-12-14-06-00.jpg>",
    "\u200E[13/03/2024, 14:06:10] Loja: Contrato.pdf • \u200E3 páginas \u200E<anexado: 00000003-Contrato.pdf>",
    "\u200E[13/03/2024, 14:06:20] Ana Luz: \u200Eáudio ocultado",
  ].join("\r\n");
  expect(short(chat)).toEqual([
    ["2024-03-12T14:05:34", "Ana Luz", "Oi", null],
    ["2024-03-12T14:06:00", "Loja", "", "00000002-PHOTO-2024-03-12-14-06-00.jpg"],
    ["2024-03-13T14:06:10", "Loja", "", "00000003-Contrato.pdf"],
    ["2024-03-13T14:06:20", "Ana Luz", "", "audio"],
  ]);
});

test.each([
  [
    "English of the United States",
    "3/12/24, 2:05\u202FPM - Jo: hi\n3/14/24, 12:30\u202FAM - Jo: night",
    ["2024-03-12T14:05:00", "2024-03-14T00:30:00"],
  ],
  [
    "days below thirteen, by the order of time",
    "3/1/24, 9:00 AM - Jo: a\n3/2/24, 9:00 AM - Jo: b\n4/1/24, 9:00 AM - Jo: c",
    ["2024-03-01T09:00:00", "2024-03-02T09:00:00", "2024-04-01T09:00:00"],
  ],
  [
    "Spanish",
    "1/3/24 2:05 p. m. - Jo: hola\n15/3/24 12:00 a. m. - Jo: ya",
    ["2024-03-01T14:05:00", "2024-03-15T00:00:00"],
  ],
  ["German points", "[01.03.24, 14:05:33] Jo: hallo", ["2024-03-01T14:05:33"]],
  ["the year first", "2024-03-01 14:05 - Jo: a", ["2024-03-01T14:05:00"]],
  ["nothing of the kind", "Lista de compras\n12/03 pão", []],
])("times in %s (E-09)", (_where, text, times) => {
  expect(parseChat(text).lines.map(({ at }) => at)).toEqual(times);
});

test("dates that do not exist are words, and times that cannot be are left out (E-09)", () => {
  const chat = [
    "12/03/2024 14:05 - Jo: antes",
    "31/02/2024 10:00 - Ana: colado",
    "de outro telefone",
    "01/15/24, 9:00 AM - Bob: pasted",
    "13/03/2024 25:00 - Jo: isto continua",
    "01/01/2099 10:00 - Jo: do futuro",
    "01/01/1970 00:00 - Jo: sem relógio",
    "29/02/2024 10:00 - Jo: bissexto",
  ].join("\n");
  const { lines, misdated } = parseChat(chat, "2026-01-01T00:00:00");
  expect([lines.map(({ at, body }) => [at, body]), misdated]).toEqual([
    [
      [
        "2024-03-12T14:05:00",
        "antes\n31/02/2024 10:00 - Ana: colado\nde outro telefone\n01/15/24, 9:00 AM - Bob: pasted\n13/03/2024 25:00 - Jo: isto continua",
      ],
      ["2024-02-29T10:00:00", "bissexto"],
    ],
    2,
  ]);
});

test("a crafted line does not hold up the others (E-09)", () => {
  const spaces = " ".repeat(300_000);
  const began = performance.now();
  const { lines } = parseChat(
    `12/03/2024 14:05 - Jo: a${spaces}b${spaces}<x\n[12/03/2024, 14:05:33] Jo: \u200E${spaces}x${"<anexado: ".repeat(20_000)}`,
  );
  expect(lines).toHaveLength(2);
  expect(performance.now() - began).toBeLessThan(2_000);
});
