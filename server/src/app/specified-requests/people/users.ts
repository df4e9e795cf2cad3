import { every, flag, maybe, none, number, refusal, saying, some, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const queue = { id: number, name: text, color: text };

/** Specification 1, section 3, as far as an answer may carry it. */
const user = {
  id: number,
  name: text,
  email: text,
  profile: text,
  allTicket: text,
  whatsappId: maybe(number),
  queues: every(queue),
  companyId: number,
  super: flag,
};

/** Specification 1 and 2, sections 5 and 7; behaviour 1 and 2. */
export const users: readonly SpecifiedRequest[] = [
  {
    request: "GET /users/list?companyId={company}",
    proves: "all colleagues, as a bare list, for everybody (U-01)",
    as: "agent",
    holds: some({ id: "{agent}", name: "Ana Lima" }),
  },
  {
    request: "GET /users/?searchParam=ana&pageNumber=1",
    proves: "a page that the search found (U-01, T-23)",
    holds: { users: some({ ...user, id: "{agent}" }), count: number, hasMore: false },
  },
  {
    request: "GET /users?searchParam=&pageNumber=1",
    proves: "everybody may list, with the fields of /users/list (U-01)",
    as: "agent",
    holds: { users: some({ id: "{colleague}", name: "Beto Dias" }), count: number, hasMore: flag },
  },
  {
    request: "POST /users",
    proves: "the dialog's user, its connection empty (U-02, E-03)",
    send: {
      name: "Dora Reis",
      email: "dora@example.com",
      password: "segredo",
      profile: "user",
      allTicket: "desabled",
      whatsappId: "",
      queueIds: ["{queue}"],
    },
    holds: { ...user, name: "Dora Reis", whatsappId: null, queues: [{ id: "{queue}", name: "Suporte" }] },
    keep: { dora: "id" },
    after: [{ get: "/users/{dora}", holds: { ...user, email: "dora@example.com" } }],
    hears: [
      {
        channel: "company-{company}-user",
        holds: { action: "create", user: { ...user, id: "{dora}", queues: some({ id: "{queue}" }) } },
      },
    ],
  },
  {
    request: "POST /users",
    proves: "name, e-mail and password are enough (U-02, E-03)",
    send: { name: "Edu", email: "edu@example.com", password: "12345" },
    holds: { ...user, profile: "user", allTicket: "desabled", queues: [] },
    keep: { edu: "id" },
  },
  {
    request: "POST /users",
    proves: "Portuguese words where no language is asked for (U-02, E-01)",
    send: { name: "D", email: "d@example.com", password: "segredo" },
    status: 400,
    holds: { error: "ERR_VALIDATION", message: saying("uito curto!") },
  },
  {
    request: "POST /users",
    proves: "the specification's words in English (U-02, E-01)",
    headers: { "accept-language": "en-US,en;q=0.9" },
    send: { name: "D".repeat(51), email: "d@example.com", password: "segredo" },
    status: 400,
    holds: { error: "ERR_VALIDATION", message: saying("Too Long!") },
  },
  ...[
    { what: "a short name", field: { name: "D" } },
    { what: "a long name", field: { name: "D".repeat(51) } },
    { what: "a short password", field: { password: "1234" } },
    { what: "an address that is none", field: { email: "dora" } },
    { what: "no name", field: { name: "" } },
  ].map(({ what, field }): SpecifiedRequest => ({
    request: "POST /users",
    proves: `${what} is refused in a sentence (U-02, E-03)`,
    send: { name: "Fábio", email: "fabio@example.com", password: "segredo", profile: "user", queueIds: [], ...field },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  })),
  {
    request: "POST /users",
    proves: "an e-mail twice is a conflict (U-02)",
    send: { name: "Outra Dora", email: "dora@example.com", password: "segredo", profile: "user", queueIds: [] },
    status: 409,
    holds: refusal("ERR_EMAIL_TAKEN"),
  },
  {
    request: "POST /users",
    proves: "an agent may not (U-01, E-01)",
    as: "agent",
    send: { name: "Fábio", email: "fabio@example.com", password: "segredo", profile: "user", queueIds: [] },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  { request: "GET /users/{dora}", proves: "the dialog opens (U-01)", holds: user, keep: { record: "" } },
  {
    request: "PUT /users/{dora}",
    proves: "the record whole, as it was read, goes back (U-02, E-03)",
    send: "{record}",
    after: [{ get: "/users/{dora}", holds: { name: "Dora Reis", queues: [{ id: "{queue}" }] } }],
  },
  {
    request: "PUT /users/{dora}",
    proves: "an empty password keeps the old one; `false` is no connection (U-02, E-03)",
    send: {
      id: "{dora}",
      name: "Dora R. Reis",
      email: "dora@example.com",
      password: "",
      profile: "supervisor",
      allTicket: "enabled",
      whatsappId: false,
      queueIds: ["{queue}", "{sales}"],
    },
    holds: { ...user, name: "Dora R. Reis", profile: "supervisor", allTicket: "enabled", whatsappId: null },
    after: [{ get: "/users/{dora}", holds: { queues: some({ id: "{sales}", color: "#654321" }) } }],
    hears: [
      {
        channel: "company-{company}-user",
        as: "agent",
        holds: {
          action: "update",
          user: { id: "{dora}", name: "Dora R. Reis", profile: "supervisor", queues: some({ id: "{sales}" }) },
        },
      },
    ],
  },
  {
    request: "POST /auth/login",
    proves: "she signs in with the password that was kept (U-02)",
    as: "nobody",
    send: { email: "dora@example.com", password: "segredo" },
    holds: { user: { id: "{dora}" } },
  },
  {
    request: "GET /users/{dora}",
    proves: "another company's user is not found (U-01)",
    as: "stranger",
    status: 404,
    holds: refusal("ERR_NO_USER_FOUND"),
  },
  { request: "DELETE /users/{edu}", proves: "is deleted (U-01)" },
  {
    request: "DELETE /users/{dora}",
    proves: "is gone, and told (U-01)",
    after: [
      { get: "/users/list", holds: none({ id: "{dora}" }) },
      { get: "/users/{dora}", status: 404, holds: refusal("ERR_NO_USER_FOUND") },
    ],
    hears: [{ channel: "company-{company}-user", as: "agent", holds: { action: "delete", userId: "{dora}" } }],
  },
];
