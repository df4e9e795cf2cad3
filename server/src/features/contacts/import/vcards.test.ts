import { expect, test } from "vitest";
import { isVcards, tableOfVcards } from "./vcards.ts";

const card = (...lines: string[]) => ["BEGIN:VCARD", ...lines, "END:VCARD"].join("\r\n");
const people = (text: string) =>
  tableOfVcards(text)
    .slice(1)
    .map((row) => row.slice(0, 4));

test("cards of old phones, of iPhones and of version 4 are people with their best number (C-03)", () => {
  const book = [
    // 2.1: quoted-printable over several lines, types without a name, Latin-1
    card(
      "VERSION:2.1",
      "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=53=6F=75=7A=61;=4A=6F=C3=A3=6F=20=44=65=20=\r\n=4D=65=6C=6F",
      "TEL;HOME:1133334444",
      "TEL;CELL;PREF:(11) 98888-7777",
    ),
    card(
      "VERSION:2.1",
      "FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Concei=E7=E3o",
      "TEL;CELL:+55 11 97777-6666",
      "PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ",
      " SkZJRgABAQ==",
    ),
    // 3.0: folded lines, groups, escapes, WhatsApp's own number
    card(
      "VERSION:3.0",
      "FN:Ana\\, a do ",
      " mercado",
      "item1.TEL;type=WORK;waid=5521987650001:+55 21 98765-0001",
      "item1.X-ABLabel:Trabalho",
      "TEL;type=CELL:+55 21 90000-0000",
      "item2.EMAIL;type=INTERNET:ana@example.com",
    ),
    // 4.0: addresses as URIs, quoted lists of types
    card(
      "VERSION:4.0",
      "FN:Bia Reis",
      'TEL;VALUE=uri;TYPE="home,voice":tel:+55-21-3333-4444',
      'TEL;VALUE=uri;TYPE="cell,voice";PREF=1:tel:+55-21-98765-0002;ext=1',
    ),
    card(
      "VERSION:2.1",
      "N:Chefe;;;;",
      "TEL;CELL:5511955554444",
      "AGENT:",
      card("VERSION:2.1", "FN:Secretária", "TEL;CELL:5511911112222"),
    ),
    card("VERSION:3.0", "ORG:Padaria Sol;Compras", "TEL:ramal"),
  ].join("\r\n");
  expect(isVcards(`\uFEFF${book}`)).toBe(true);
  expect(isVcards("Nome;Celular")).toBe(false);
  expect(people(book)).toEqual([
    ["João De Melo Souza", "(11) 98888-7777", "", "1133334444"],
    ["Conceição", "+55 11 97777-6666", "", ""],
    ["Ana, a do mercado", "+5521987650001", "ana@example.com", "+55 21 90000-0000"],
    ["Bia Reis", "+55-21-98765-0002", "", "+55-21-3333-4444"],
    ["Chefe", "5511955554444", "", ""],
    ["Padaria Sol", "ramal", "", ""],
  ]);
});

test("cut off and crafted cards are read in time and harm nobody (C-03)", () => {
  expect(people("BEGIN:VCARD\nFN:Só o nome")).toEqual([["Só o nome", "", "", ""]]);
  expect(
    people(`BEGIN:VCARD\n${"=".repeat(200_000)}\nNOTE${";a=".repeat(50_000)}\nFN;ENCODING=QUOTED-PRINTABLE:=ZZ=4`),
  ).toHaveLength(1);
  expect(tableOfVcards("END:VCARD\nEND:VCARD\nFN:Ninguém")).toHaveLength(1);

  // a picture of 4 MB, folded as phones fold it, and a long note
  const lines = (count: number) => Array.from({ length: count }, () => ` ${"A".repeat(74)}`);
  const began = performance.now();
  const large = card("FN:Com foto", "item1.PHOTO;ENCODING=b;TYPE=JPEG:/9j/", ...lines(56_000), "TEL:11988887777");
  expect(people(`${large}\r\n${card("FN:Com nota", "NOTE:x", ...lines(14_000))}`)).toEqual([
    ["Com foto", "11988887777", "", ""],
    ["Com nota", "", "", ""],
  ]);
  expect(performance.now() - began).toBeLessThan(3_000);
});
