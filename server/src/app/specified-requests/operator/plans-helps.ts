import { every, flag, none, number, refusal, some, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const plan = {
  id: number,
  name: text,
  users: number,
  connections: number,
  queues: number,
  value: number,
  useCampaigns: flag,
  useSchedules: flag,
  useInternalChat: flag,
  useExternalApi: flag,
  useKanban: flag,
  useOpenAi: flag,
  useIntegrations: flag,
};

/** Specification 2, sections 3, 7 and 9; the paths of plans are "not shown": those of the family. */
export const plans: readonly SpecifiedRequest[] = [
  {
    request: "POST /plans",
    proves: "a name is enough: flags default to true, numbers to 0 (Y-02, E-03)",
    as: "operator",
    send: { name: "Básico" },
    holds: {
      ...plan,
      users: 0,
      connections: 0,
      queues: 0,
      value: 0,
      useKanban: true,
      useOpenAi: true,
      useCampaigns: true,
    },
    keep: { bare: "id" },
  },
  {
    request: "POST /plans",
    proves: "numbers as texts of a form (Y-02, E-03)",
    as: "operator",
    send: { name: "Pleno", users: "5", connections: "2", queues: "3", value: "99.9", useKanban: false },
    holds: { ...plan, users: 5, value: 99.9, useKanban: false, useSchedules: true },
    keep: { plan: "id" },
  },
  {
    request: "POST /plans",
    proves: "a company's admin may not (Y-04)",
    send: { name: "Meu" },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "GET /plans/list",
    proves: "for the sign-up, without a token (A-09)",
    as: "nobody",
    holds: some({ ...plan, id: "{plan}" }),
  },
  {
    request: "GET /plans/all",
    proves: "the same, by its other name (A-09)",
    as: "nobody",
    holds: every({ id: number, name: text }),
  },
  {
    request: "GET /plans?searchParam=&pageNumber=1",
    proves: "all of them for the operator (Y-02)",
    as: "operator",
    holds: some({ ...plan, id: "{plan}" }),
  },
  {
    request: "GET /plans/{plan}",
    proves: "one plan (Y-02)",
    as: "operator",
    holds: { ...plan, id: "{plan}" },
    keep: { record: "" },
  },
  {
    request: "PUT /plans/{plan}",
    proves: "the record whole, as it was read, goes back (Y-02, E-03)",
    as: "operator",
    send: "{record}",
    after: [
      { get: "/plans/{plan}", as: "operator", holds: { name: "Pleno", users: 5, value: 99.9, useKanban: false } },
    ],
  },
  {
    request: "PUT /plans/{plan}",
    proves: "a change is stored (Y-02)",
    as: "operator",
    send: { id: "{plan}", name: "Pleno", users: 6, connections: 2, queues: 3, value: 109.9, useKanban: true },
    after: [{ get: "/plans/{plan}", as: "operator", holds: { users: 6, value: 109.9, useKanban: true } }],
  },
  {
    request: "DELETE /plans/{bare}",
    proves: "is gone (Y-02)",
    as: "operator",
    after: [{ get: "/plans/list", as: "nobody", holds: none({ id: "{bare}" }) }],
  },
];

export const helps: readonly SpecifiedRequest[] = [
  {
    request: "POST /helps",
    proves: "title, video code and description (Y-03)",
    as: "operator",
    send: { title: "Primeiros passos", video: "dQw4w9WgXcQ", description: "" },
    holds: { id: number, title: "Primeiros passos", video: "dQw4w9WgXcQ", description: text },
    keep: { help: "id" },
  },
  {
    request: "GET /helps/list",
    proves: "everybody's cards, as a bare list (Y-03)",
    as: "agent",
    holds: some({ id: "{help}", title: text, video: text, description: text }),
  },
  { request: "GET /helps", proves: "the operator's table (Y-03)", as: "operator", keep: { helps: "" } },
  {
    request: "PUT /helps/{help}",
    proves: "a whole record is stored (Y-03, E-03)",
    as: "operator",
    send: {
      id: "{help}",
      title: "Começo",
      video: "dQw4w9WgXcQ",
      description: "Como começar",
      createdAt: "2026-01-01T00:00:00.000Z",
    },
    after: [
      { get: "/helps/list", as: "agent", holds: some({ id: "{help}", title: "Começo", description: "Como começar" }) },
    ],
  },
  {
    request: "DELETE /helps/{help}",
    proves: "is gone (Y-03)",
    as: "operator",
    after: [{ get: "/helps/list", as: "agent", holds: none({ id: "{help}" }) }],
  },
  {
    request: "POST /helps",
    proves: "a company's admin may not (Y-04)",
    send: { title: "Minha", video: "x", description: "" },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
];
