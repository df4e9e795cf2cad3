import { every, flag, maybe, none, number, refusal, some, text } from "../format/kinds.ts";
import { form, plainFile } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 1, section 3. */
const contact = {
  id: number,
  name: text,
  number: text,
  email: text,
  profilePicUrl: maybe(text),
  urlPicture: maybe(text),
  extraInfo: every({ name: text, value: text }),
};

/** Specification 1, sections 2, 5 and 7. */
export const contacts: readonly SpecifiedRequest[] = [
  {
    request: "POST /contacts",
    proves: "a number as a number, an empty e-mail, pairs of extra information (C-02, E-03)",
    as: "agent",
    send: { name: "Davi Rocha", number: 5_511_987_650_002, email: "", extraInfo: [{ name: "CPF", value: "123" }] },
    holds: { ...contact, name: "Davi Rocha", number: "5511987650002", extraInfo: [{ name: "CPF", value: "123" }] },
    keep: { davi: "id" },
    after: [{ get: "/contacts/{davi}", as: "agent", holds: { ...contact, number: "5511987650002", email: "" } }],
    hears: [
      {
        channel: "company-{company}-contact",
        as: "colleague",
        holds: { action: "create", contact: { id: "{davi}", name: "Davi Rocha", number: "5511987650002" } },
      },
    ],
  },
  {
    request: "POST /contacts",
    proves: "name and number are enough, the number as people write it (C-02, E-03)",
    send: { name: "Eva Melo", number: "+55 (11) 98765-0003" },
    holds: { ...contact, number: "5511987650003", email: "", extraInfo: [] },
    keep: { eva: "id" },
  },
  {
    request: "POST /contacts",
    proves: "a number twice is a conflict (C-02, E-01)",
    send: { name: "Davi de novo", number: "5511987650002", email: "", extraInfo: [] },
    status: 409,
    holds: refusal("ERR_DUPLICATED_CONTACT"),
  },
  {
    request: "POST /contacts",
    proves: "a number that WhatsApp does not know is refused (C-02, E-01)",
    send: { name: "Ninguém", number: "5511900000000" },
    status: 400,
    holds: refusal("ERR_WAPP_INVALID_CONTACT"),
  },
  ...[
    { what: "a short name", field: { name: "D" } },
    { what: "a short number", field: { number: "1234567" } },
    { what: "an e-mail that is none", field: { email: "davi" } },
    { what: "no number", field: { number: "" } },
  ].map(({ what, field }): SpecifiedRequest => ({
    request: "POST /contacts",
    proves: `${what} is refused in a sentence (C-02, E-03)`,
    send: { name: "Davi Rocha", number: "5511987650009", email: "", ...field },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  })),
  {
    request: "GET /contacts?searchParam=davi&pageNumber=1",
    proves: "a page that the search found (C-01)",
    as: "agent",
    holds: { contacts: [{ ...contact, id: "{davi}" }], count: 1, hasMore: false },
  },
  {
    request: "GET /contacts/?searchParam=DAVI&pageNumber=1",
    proves: "with a slash the same (C-01, T-23)",
    holds: { contacts: [{ id: "{davi}" }] },
  },
  {
    request: "GET /contacts?searchParam=&pageNumber=1&date=&dateStart=&dateEnd=",
    proves: "empty dates are none (C-01, E-03)",
    holds: { contacts: some({ id: "{davi}" }), count: number, hasMore: flag },
  },
  {
    request: "GET /contacts?pageNumber=1&date={today}",
    proves: "one day's contacts (C-01)",
    holds: { contacts: some({ id: "{davi}" }) },
  },
  {
    request: "GET /contacts?pageNumber=1&date=2001-01-01",
    proves: "another day has none (C-01)",
    holds: { contacts: [], count: 0, hasMore: false },
  },
  {
    request: "GET /contacts?pageNumber=1&dateStart=2001-01-01&dateEnd={today}",
    proves: "a range of days, both included (C-01)",
    holds: { contacts: some({ id: "{davi}" }) },
  },
  {
    request: "GET /contacts?pageNumber=1&dateStart=2001-01-01&dateEnd=2001-12-31",
    proves: "a range long ago has none (C-01)",
    holds: { contacts: [], count: 0 },
  },
  {
    request: "GET /contacts/list?companyId={company}",
    proves: "the lookup is a bare list (C-01)",
    as: "agent",
    holds: some({ id: "{davi}", name: "Davi Rocha" }),
  },
  {
    request: "GET /contacts/list?name=Davi",
    proves: "the lookup without a company (C-01)",
    holds: some({ id: "{davi}" }),
  },
  { request: "GET /contacts/{davi}", proves: "the dialog opens (C-02)", holds: contact, keep: { record: "" } },
  {
    request: "PUT /contacts/{davi}",
    proves: "the record whole, as it was read, goes back (C-02, E-03)",
    as: "agent",
    send: "{record}",
    after: [{ get: "/contacts/{davi}", holds: { name: "Davi Rocha", extraInfo: [{ name: "CPF", value: "123" }] } }],
  },
  {
    request: "PUT /contacts/{davi}",
    proves: "changes are stored and told (C-02, T-22)",
    as: "agent",
    send: { name: "Davi S. Rocha", number: 5_511_987_650_002, email: "davi@example.com", extraInfo: [] },
    holds: { name: "Davi S. Rocha", email: "davi@example.com", extraInfo: [] },
    after: [{ get: "/contacts/{davi}", holds: { name: "Davi S. Rocha", extraInfo: [] } }],
    hears: [
      {
        channel: "company-{company}-contact",
        holds: { action: "update", contact: { id: "{davi}", name: "Davi S. Rocha" } },
      },
    ],
  },
  {
    request: "POST /contacts/import",
    proves: "the phone's address book, without a body (C-03)",
  },
  {
    request: "POST /contacts/import",
    proves: "a file in multipart, its headings by meaning (C-03)",
    send: form(["file", plainFile("contatos.csv", "text/csv", "Nome;Celular\nFabi Luz;5511987650044\n")]),
  },
  {
    request: "GET /contacts?searchParam=fabi&pageNumber=1",
    proves: "its rows are contacts (C-03)",
    holds: { contacts: [{ name: "Fabi Luz", number: "5511987650044" }] },
  },
  {
    request: "GET /contacts/{davi}",
    proves: "another company's contact is not found (C-01)",
    as: "stranger",
    status: 404,
    holds: refusal("ERR_NO_CONTACT_FOUND"),
  },
  {
    request: "DELETE /contacts/{eva}",
    proves: "an agent may not (C-05, E-01)",
    as: "agent",
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "DELETE /contacts/{eva}",
    proves: "is gone, and told (C-05)",
    after: [
      { get: "/contacts/list", holds: none({ id: "{eva}" }) },
      { get: "/contacts/{eva}", status: 404, holds: refusal("ERR_NO_CONTACT_FOUND") },
    ],
    hears: [{ channel: "company-{company}-contact", as: "agent", holds: { action: "delete", contactId: "{eva}" } }],
  },
];
