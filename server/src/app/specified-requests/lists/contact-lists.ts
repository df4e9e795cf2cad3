import { maybe, none, number, refusal, some, text } from "../format/kinds.ts";
import { form, plainFile } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 2, section 3. */
const list = { id: number, name: text, contactsCount: number, companyId: "{company}" };
const item = { id: number, name: text, number: text, email: text, companyId: "{company}", contactListId: "{list}" };

export const contactLists: readonly SpecifiedRequest[] = [
  {
    request: "POST /contact-lists",
    proves: "a list, with the company that clients name, told to admins (K-01, E-03)",
    send: { name: "Clientes de maio", companyId: "{company}" },
    holds: { ...list, name: "Clientes de maio", contactsCount: 0 },
    keep: { list: "id" },
    hears: [
      {
        channel: "company-{company}-ContactList",
        as: "admin",
        holds: { action: "create", record: { ...list, id: "{list}" } },
      },
    ],
  },
  {
    request: "POST /contact-lists",
    proves: "a name of one letter is refused (K-01, E-03)",
    send: { name: "A" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "POST /contact-lists",
    proves: "an agent may not (K-01, E-01)",
    as: "agent",
    send: { name: "Minha" },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "POST /contact-list-items",
    proves: "a contact of the list, not checked yet, told (K-02, E-03)",
    send: {
      name: "Ana Luz",
      number: "+55 (11) 98765-0101",
      email: "ana@example.com",
      companyId: "{company}",
      contactListId: "{list}",
    },
    holds: { ...item, number: "5511987650101", isWhatsappValid: maybe(number) },
    keep: { item: "id" },
    hears: [
      {
        channel: "company-{company}-ContactListItem",
        as: "admin",
        holds: { action: "create", record: { ...item, id: "{item}" } },
      },
    ],
  },
  {
    request: "POST /contact-list-items",
    proves: "the same number without the ninth digit is refused (K-02)",
    send: { name: "Outra Ana", number: "551187650101", contactListId: "{list}" },
    status: 409,
    holds: refusal("ERR_DUPLICATED_CONTACT"),
  },
  { request: "GET /contact-list-items/{item}", proves: "the dialog opens (K-02)", holds: item, keep: { record: "" } },
  {
    request: "PUT /contact-list-items/{item}",
    proves: "the record whole, with another name, goes back (K-02, E-03)",
    send: { id: "{item}", name: "Ana Lima", number: "5511987650101", email: "", companyId: "{company}" },
    holds: { ...item, name: "Ana Lima", email: "" },
  },
  {
    request: "POST /contact-lists/{list}/upload",
    proves: "a spreadsheet, by its headings (K-02)",
    send: form(["file", plainFile("lista.csv", "text/csv", "nome;numero;email\r\nBia Reis;5511987650102;\r\n")]),
    after: [
      {
        get: "/contact-list-items?searchParam=bia&pageNumber=1&contactListId={list}",
        holds: { contacts: [{ ...item, name: "Bia Reis", number: "5511987650102" }], hasMore: false },
      },
    ],
    hears: [
      {
        channel: "company-{company}-ContactListItem-{list}",
        as: "admin",
        holds: { action: "reload", records: some({ name: "Bia Reis" }) },
      },
    ],
  },
  { request: "GET /contact-lists/{list}", proves: "one list (K-01)", holds: { ...list, contactsCount: 2 } },
  {
    request: "GET /contact-list-items?searchParam=&pageNumber=1&contactListId={list}",
    proves: "a page of its contacts, by name (K-02)",
    holds: {
      contacts: [
        { ...item, name: "Ana Lima" },
        { ...item, name: "Bia Reis" },
      ],
      count: 2,
      hasMore: false,
    },
  },
  {
    request: "GET /contact-lists/?searchParam=maio&pageNumber=1",
    proves: "a page with the counts (K-01)",
    holds: { records: [{ ...list, id: "{list}", contactsCount: 2 }], count: 1, hasMore: false },
  },
  {
    request: "GET /contact-lists/list?companyId={company}",
    proves: "a bare list for pickers (K-01)",
    holds: some({ id: "{list}", name: "Clientes de maio" }),
  },
  {
    request: "DELETE /contact-list-items/{item}",
    proves: "a contact is gone, and told (K-02)",
    after: [{ get: "/contact-lists/{list}", holds: { ...list, contactsCount: 1 } }],
    hears: [{ channel: "company-{company}-ContactListItem", as: "admin", holds: { action: "delete", id: "{item}" } }],
  },
  {
    request: "PUT /contact-lists/{list}",
    proves: "another name (K-01)",
    send: { id: "{list}", name: "Clientes de junho" },
    holds: { ...list, name: "Clientes de junho" },
  },
  {
    request: "DELETE /contact-lists/{list}",
    proves: "the list is gone, and told (K-01)",
    after: [{ get: "/contact-lists/list", holds: none({ id: "{list}" }) }],
    hears: [{ channel: "company-{company}-ContactList", as: "admin", holds: { action: "delete", id: "{list}" } }],
  },
];
