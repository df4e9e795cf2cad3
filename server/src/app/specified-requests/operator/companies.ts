import { day, every, flag, maybe, none, number, refusal, some, someText, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const billingAddress = {
  addressZipCode: text,
  addressStreet: text,
  addressState: text,
  addressCity: text,
  addressDistrict: text,
};

/** Specification 2, section 3. */
const company = {
  id: number,
  name: text,
  email: text,
  phone: text,
  planId: maybe(number),
  plan: maybe({ id: number, name: text }),
  status: flag,
  campaignsEnabled: flag,
  dueDate: maybe(text),
  recurrence: text,
  createdAt: text,
  ...billingAddress,
  settings: every({ key: text, value: text }),
};

const week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const hours = week.map((weekdayEn) => ({ weekday: weekdayEn, weekdayEn, startTime: "09:00", endTime: "17:00" }));

/** Without a password and with most of it empty, as the family's form sends a new company. */
const fromTheForm = {
  name: "Doceria Lua",
  email: "lua@example.com",
  phone: "",
  planId: "{plan}",
  status: true,
  campaignsEnabled: true,
  dueDate: "",
  recurrence: "",
};

/** Specification 2, sections 4, 5 and 7; behaviour 1. */
export const companies: readonly SpecifiedRequest[] = [
  {
    request: "POST /companies",
    proves: "the form's company: an empty due date is none, no password (Y-01, E-03)",
    as: "operator",
    send: fromTheForm,
    holds: { ...company, name: "Doceria Lua", dueDate: null, planId: "{plan}", status: true, campaignsEnabled: true },
    keep: { moon: "id" },
  },
  {
    request: "POST /companies",
    proves: "e-mail and plan are enough (Y-01, E-03)",
    as: "operator",
    send: { email: "estrela@example.com", planId: "{plan}" },
    holds: { ...company, recurrence: "MENSAL" },
    keep: { star: "id" },
  },
  {
    request: "POST /companies",
    proves: "a plan is required, in a sentence (Y-01, E-03)",
    as: "operator",
    send: { ...fromTheForm, name: "Sem plano", email: "sem@example.com", planId: "" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "POST /companies",
    proves: "a company's admin may not (Y-04, E-01)",
    send: { ...fromTheForm, name: "Minha", email: "minha@example.com" },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "GET /companies/list",
    proves: "all of them, as a bare list (Y-01)",
    as: "operator",
    holds: some({ ...company, id: "{moon}" }),
  },
  {
    request: "GET /companies?searchParam=lua&pageNumber=1",
    proves: "a page that the search found (Y-01)",
    as: "operator",
    holds: { companies: some({ id: "{moon}" }), count: number, hasMore: flag },
  },
  {
    request: "GET /companies/{moon}",
    proves: "the operator reads any, whole (Y-01)",
    as: "operator",
    holds: { ...company, id: "{moon}", email: "lua@example.com" },
    keep: { record: "" },
  },
  {
    request: "GET /companies/{company}",
    proves: "an admin reads their own, hours among it (G-03)",
    holds: {
      id: "{company}",
      name: "Padaria Sol",
      schedules: every({ weekday: text, weekdayEn: text, startTime: text, endTime: text }),
    },
  },
  {
    request: "GET /companies/{otherCompany}",
    proves: "and no other (Y-04)",
    status: 404,
    holds: { error: text, message: text, requestId: text },
  },
  {
    request: "PUT /companies/{moon}",
    proves: "the record whole, as it was read, goes back (Y-01, E-03)",
    as: "operator",
    send: "{record}",
    after: [{ get: "/companies/{moon}", as: "operator", holds: { name: "Doceria Lua", email: "lua@example.com" } }],
  },
  {
    request: "PUT /companies/{moon}",
    proves: "a due date as a day and as a time, the flags as texts (Y-01, E-03)",
    as: "operator",
    send: {
      ...fromTheForm,
      id: "{moon}",
      phone: 11_987_650_001,
      dueDate: "2099-05-10",
      recurrence: "ANUAL",
      status: "true",
    },
    after: [
      {
        get: "/companies/{moon}",
        as: "operator",
        holds: { dueDate: day("2099-05-10"), recurrence: "ANUAL", phone: "11987650001", status: true },
      },
    ],
  },
  {
    request: "PUT /companies/{moon}",
    proves: "the billing address, its code as a number (Y-01, E-03)",
    as: "operator",
    send: {
      ...fromTheForm,
      id: "{moon}",
      addressZipCode: 1_310_100,
      addressStreet: "Av. Paulista, 1",
      addressState: "SP",
    },
    after: [
      {
        get: "/companies/{moon}",
        as: "operator",
        holds: { addressZipCode: "1310100", addressStreet: "Av. Paulista, 1", addressState: "SP", addressCity: "" },
      },
    ],
  },
  {
    request: "PUT /companies/{moon}",
    proves: "a due date with a time is its day (Y-01, E-03)",
    as: "operator",
    send: { ...fromTheForm, id: "{moon}", dueDate: "2099-06-10T00:00:00.000Z", recurrence: "MENSAL" },
    after: [{ get: "/companies/{moon}", as: "operator", holds: { dueDate: day("2099-06-10") } }],
  },
  {
    request: "PUT /companies/{company}/schedules",
    proves: "the hours are stored (G-03)",
    send: {
      id: "{company}",
      schedules: hours,
    },
    after: [
      {
        get: "/companies/{company}",
        holds: { schedules: some({ weekdayEn: "monday", startTime: "09:00", endTime: "17:00" }) },
      },
    ],
  },
  {
    request: "GET /companies/listPlan/{company}",
    proves: "one's own plan with its flags (Y-05)",
    as: "agent",
    holds: {
      plan: {
        id: number,
        name: text,
        users: number,
        connections: number,
        queues: number,
        useCampaigns: flag,
        useKanban: flag,
        useOpenAi: flag,
        useIntegrations: flag,
        useSchedules: flag,
        useInternalChat: flag,
        useExternalApi: flag,
      },
    },
  },
  { request: "DELETE /companies/{star}", proves: "is deleted (Y-01)", as: "operator" },
  {
    request: "DELETE /companies/{moon}",
    proves: "is gone (Y-01)",
    as: "operator",
    after: [{ get: "/companies/list", as: "operator", holds: none({ id: "{moon}" }) }],
  },
  {
    request: "POST /companies/cadastro",
    proves: "a company signs itself up; what it would rather not pay is not asked (A-09)",
    as: "nobody",
    send: {
      name: "Armazém Novo",
      email: "armazem@example.com",
      phone: "(11) 98765-4321",
      password: "{password}",
      planId: "{plan}",
      recurrence: "ANUAL",
      dueDate: "2099-01-01",
      status: true,
      campaignsEnabled: true,
    },
    status: 200,
    holds: { name: "Armazém Novo", email: "armazem@example.com", recurrence: "MENSAL", dueDate: someText },
  },
];
