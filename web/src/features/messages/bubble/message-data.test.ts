import { expect, test } from "vitest";
import { aMessage } from "../../testing.ts";
import { sharedContactsOf } from "./message-data.ts";

const card = (name: string, ...lines: string[]) => ({
  name,
  vcard: ["BEGIN:VCARD", "VERSION:3.0", `FN:${name}`, ...lines, "END:VCARD"].join("\n"),
});
const peopleOf = (...cards: object[]) => sharedContactsOf(aMessage({ mediaType: "vcard", data: { cards } }));

test("every card of a message is offered, with the number that WhatsApp wrote or the sender's country (M-04)", () => {
  expect(
    peopleOf(
      card("Rita", "TEL;type=WORK:+55 11 3333-4444", "item1.TEL;waid=5511988887777:+55 11 98888-7777"),
      card("Beto", "TEL;type=CELL:(85) 99999-0001"),
      card("Zé", "TEL:0 11 4004-1234"),
      card("Lisboa", "TEL:+351 912 345 678"),
      card("Só e-mail", "EMAIL:so@exemplo.com"),
      card("Ramal", "TEL:190"),
    ),
  ).toEqual([
    { name: "Rita", number: "+55 11 98888-7777", digits: "5511988887777" },
    { name: "Beto", number: "(85) 99999-0001", digits: "5585999990001" },
    { name: "Zé", number: "0 11 4004-1234", digits: "551140041234" },
    { name: "Lisboa", number: "+351 912 345 678", digits: "351912345678" },
    { name: "Só e-mail", number: "", digits: "" },
    { name: "Ramal", number: "190", digits: "" },
  ]);
});

test("a card names itself where the message does not, also over a folded line (M-04)", () => {
  const vcard =
    "BEGIN:VCARD\r\nFN:Padaria\\, Filhos\r\n  e Cia\r\nTEL;type=CELL;wa\r\n id=5511988887777:+55 11 98888-7777\r\nEND:VCARD";
  expect(peopleOf({ name: "", vcard })).toEqual([
    { name: "Padaria, Filhos e Cia", number: "+55 11 98888-7777", digits: "5511988887777" },
  ]);
});
