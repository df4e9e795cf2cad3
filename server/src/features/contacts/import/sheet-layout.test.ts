import { describe, expect, test } from "vitest";
import { layoutOf } from "./sheet-layout.ts";

const [ana, number, mail] = ["Ana Luz", "(11) 98888-7777", "ana@example.com"];
const letters = { n: "name", l: "lastName", p: "number", a: "areaCode", e: "email", "-": "ignore" } as const;
const rolesOf = (short: string) => [...short].map((letter) => letters[letter as keyof typeof letters]);

describe("headings are understood by their meaning (C-03)", () => {
  test.each([
    ["ours", ["name", "number", "email"], [ana, number, mail], "npe"],
    ["Portuguese", ["Nome", "Telefone", "E-mail"], [ana, number, mail], "npe"],
    ["in capitals", ["NOME COMPLETO", "CELULAR", "EMAIL"], [ana, number, mail], "npe"],
    ["accents and signs", ["Razão Social:", "Nº do Telefone", "Correio eletrônico"], [ana, number, mail], "npe"],
    ["the area code named beside", ["Cliente", "Celular (com DDD)", "Cidade"], [ana, number, "Recife"], "np-"],
    ["Spanish", ["Nombre", "Apellidos", "Teléfono", "Correo"], ["Ana", "Luz", number, mail], "nlpe"],
    ["Spanish mobile", ["Nombre completo", "Móvil", "Correo electrónico"], [ana, number, mail], "npe"],
    ["English", ["Full name", "Phone", "Email"], [ana, number, mail], "npe"],
    ["last name first", ["Sobrenome", "Nome", "WhatsApp"], ["Luz", "Ana", number], "lnp"],
    ["a number that is a phone", ["Contato", "Número"], [ana, number], "np"],
    ["the number of a house", ["Nome", "Rua", "Número", "Fone"], [ana, "Rua 1", "12", number], "n--p"],
    ["a contact that is a number", ["Cliente", "Contato"], [ana, number], "np"],
    ["yes and no", ["Nome", "WhatsApp", "Telefone"], [ana, "Sim", number], "n-p"],
    ["an area code of its own", ["Nome", "DDD", "Fone"], [ana, "11", "98888-7777"], "nap"],
    ["camel case", ["fullName", "phoneNumber", "emailAddress"], [ana, number, mail], "npe"],
    [
      "Google",
      [
        ...["First Name", "Middle Name", "Last Name", "Phonetic First Name", "Nickname", "Organization Name"],
        ...["E-mail 1 - Label", "E-mail 1 - Value", "Phone 1 - Label", "Phone 1 - Value"],
      ],
      ["Ana", "", "Luz", "", "", "Loja", "Home", mail, "Mobile", number],
      "n-l----e-p",
    ],
    [
      "Google of old",
      ["Name", "Given Name", "Family Name", "E-mail 1 - Value", "Phone 1 - Type", "Phone 1 - Value"],
      [ana, "Ana", "Luz", mail, "Mobile", number],
      "n--e-p",
    ],
    [
      "Outlook, with its empty columns",
      ["Title", "First Name", "Last Name", "Company", "Business Fax", "Business Phone", "Home Phone", "Mobile Phone"],
      ["", "Ana", "Luz", "Loja", "(11) 3333-4444", "", "", number],
      "-nl----p",
    ],
  ])("%s (C-03)", (_what, headings, cells, roles) => {
    const layout = layoutOf([headings, cells]);
    expect(layout).toEqual({ headingLine: 1, roles: expect.anything() as unknown, unclear: null });
    // An empty middle name adds nothing to a name, so it may be part of it.
    expect(layout.roles.map((role, at) => (headings[at] === "Middle Name" ? "ignore" : role))).toEqual(rolesOf(roles));
  });

  test("below a title, a date and blank lines (C-03)", () => {
    const table = [
      ["Relatório de clientes e telefones"],
      ["Emitido em 01/02/2026"],
      [],
      ["Nome", "Fone"],
      [ana, number],
    ];
    expect(layoutOf(table)).toEqual({ headingLine: 4, roles: ["name", "number"], unclear: null });
  });
});

describe("what the headings leave open is asked, with the likeliest chosen (C-03)", () => {
  test.each([
    ["no headings", [[mail, ana, number]], { headingLine: null, roles: rolesOf("enp"), unclear: "headings" }],
    [
      "headings of other words",
      [
        ["Quem", "Onde", "Chave"],
        [ana, "Recife", number],
      ],
      { headingLine: 1, roles: rolesOf("n-p"), unclear: "headings" },
    ],
    [
      "two numbers",
      [
        ["Nome", "Telefone", "Celular"],
        [ana, "(11) 3333-4444", number],
      ],
      { headingLine: 1, roles: rolesOf("n-p"), unclear: "numbers" },
    ],
    [
      "no number",
      [
        ["Nome", "E-mail"],
        [ana, mail],
      ],
      { headingLine: 1, roles: rolesOf("ne"), unclear: "number" },
    ],
    [
      "no name",
      [
        ["Telefone", "E-mail"],
        [number, mail],
      ],
      { headingLine: 1, roles: rolesOf("pe"), unclear: "name" },
    ],
    [
      "a tax number beside the phone",
      [
        ["123.456.789-00", "Ana Luz", number],
        ["987.654.321-00", "Bia", number],
      ],
      { headingLine: null, roles: rolesOf("-np"), unclear: "headings" },
    ],
  ])("%s (C-03)", (_what, table, layout) => {
    expect(layoutOf(table)).toEqual(layout);
  });

  test("an empty sheet has nothing to ask about (C-03)", () => {
    expect(layoutOf([])).toEqual({ headingLine: null, roles: [], unclear: "headings" });
  });
});
