import { every, maybe, none, number, refusal, some, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const hours = { weekday: text, weekdayEn: text, startTime: text, endTime: text };

/** Specification 2, section 3. A token is a secret: it is taken, and not told again. */
const queue = {
  id: number,
  name: text,
  color: text,
  orderQueue: maybe(number),
  greetingMessage: text,
  complationMessage: text,
  outOfHoursMessage: text,
  ratingMessage: text,
  integrationId: maybe(number),
  promptId: maybe(number),
  schedules: every(hours),
};

/** The default of specification 2, section 9, as the family's dialog sends it. */
const schedules = [
  ["Segunda-feira", "monday", "08:00", "18:00"],
  ["Terça-feira", "tuesday", "08:00", "18:00"],
  ["Quarta-feira", "wednesday", "08:00", "18:00"],
  ["Quinta-feira", "thursday", "08:00", "18:00"],
  ["Sexta-feira", "friday", "08:00", "18:00"],
  ["Sábado", "saturday", "08:00", "12:00"],
  ["Domingo", "sunday", "00:00", "00:00"],
].map(([weekday, weekdayEn, startTime, endTime]) => ({ weekday, weekdayEn, startTime, endTime }));

const fromTheDialog = {
  name: "Financeiro",
  color: "#2ddd7f",
  greetingMessage: "Financeiro, bom dia",
  complationMessage: "",
  outOfHoursMessage: "",
  ratingMessage: "",
  orderQueue: "",
  token: "",
  integrationId: "",
  promptId: null,
  schedules,
};

export const queues: readonly SpecifiedRequest[] = [
  {
    request: "GET /queue",
    proves: "the queues, as a list (Q-01)",
    as: "agent",
    holds: some({ id: "{queue}", name: "Suporte", color: "#123456" }),
  },
  {
    request: "GET /queue?companyId={company}",
    proves: "of one's own company, every field (Q-01)",
    holds: every(queue),
  },
  {
    request: "POST /queue",
    proves: "a dialog with empty fields, hours without a pair of brackets missing (Q-01, E-03)",
    send: fromTheDialog,
    holds: { ...queue, name: "Financeiro", color: "#2ddd7f", integrationId: null, promptId: null },
    keep: { finance: "id" },
    after: [{ get: "/queue/{finance}", holds: { ...queue, schedules: some(schedules[5]) } }],
    hears: [
      { channel: "company-{company}-queue", as: "agent", holds: { action: "create", queue: { id: "{finance}" } } },
    ],
  },
  {
    request: "POST /queue",
    proves: "name, colour and greeting are all that is required (Q-01, E-03)",
    send: { name: "Mínima", color: "#abc", greetingMessage: "Oi" },
    holds: { ...queue, name: "Mínima" },
    keep: { minimal: "id" },
  },
  {
    request: "POST /queue",
    proves: "a colour twice is refused (Q-10, E-01)",
    send: { ...fromTheDialog, name: "Outra" },
    status: 400,
    holds: refusal("ERR_QUEUE_COLOR_ALREADY_EXISTS"),
  },
  {
    request: "POST /queue",
    proves: "a short name is refused in a sentence (Q-01, E-03)",
    send: { ...fromTheDialog, name: "F", color: "#2ddd80" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  { request: "GET /queue/{finance}", proves: "the dialog opens (Q-01)", holds: queue, keep: { record: "" } },
  {
    request: "PUT /queue/{finance}",
    proves: "the record whole, as it was read, goes back (Q-01, E-03)",
    send: "{record}",
    after: [{ get: "/queue/{finance}", holds: { name: "Financeiro", schedules: some(schedules[0]) } }],
  },
  {
    request: "PUT /queue/{finance}",
    proves: "changes are stored and told (Q-01, E-03)",
    send: { ...fromTheDialog, name: "Cobrança", orderQueue: "2", promptId: "", integrationId: false },
    holds: { name: "Cobrança", orderQueue: 2 },
    after: [{ get: "/queue", holds: some({ id: "{finance}", name: "Cobrança", promptId: null }) }],
    hears: [
      { channel: "company-{company}-queue", holds: { action: "update", queue: { id: "{finance}", name: "Cobrança" } } },
    ],
  },
  {
    request: "PUT /queue/{finance}",
    proves: "a token is taken (Q-01)",
    send: { ...fromTheDialog, name: "Cobrança", token: "um-token-de-outra-casa-0123456789" },
    after: [{ get: "/queue/{finance}", holds: { name: "Cobrança" } }],
  },
  {
    request: "GET /queue-options?queueId={finance}&parentId=-1",
    proves: "no options yet (Q-02)",
    holds: [],
  },
  {
    request: "POST /queue-options",
    proves: "a root, its parent empty (Q-02, E-03)",
    send: { title: "Segunda via", message: "Escolha", option: "1", queueId: "{finance}", parentId: "" },
    holds: { id: number, title: "Segunda via", message: "Escolha", option: "1", queueId: "{finance}", parentId: null },
    keep: { root: "id" },
  },
  {
    request: "POST /queue-options",
    proves: "a child, its position a number (Q-02, E-03)",
    send: {
      title: "Boleto",
      message: "",
      option: 1,
      queueId: "{finance}",
      parentId: "{root}",
      children: [],
      edition: true,
    },
    holds: { title: "Boleto", option: "1", parentId: "{root}" },
    keep: { child: "id" },
  },
  {
    request: "GET /queue-options?queueId={finance}&parentId=-1",
    proves: "-1 are the roots, with children nested (Q-02)",
    holds: [{ id: "{root}", title: "Segunda via", option: "1", parentId: null }],
    keep: { record: "0" },
  },
  {
    request: "GET /queue-options?queueId={finance}&parentId={root}",
    proves: "the children of one (Q-02)",
    holds: [{ id: "{child}", title: "Boleto", parentId: "{root}" }],
  },
  {
    request: "PUT /queue-options/{root}",
    proves: "the record whole, children and all, goes back (Q-02, E-03)",
    send: "{record}",
    after: [{ get: "/queue-options?queueId={finance}&parentId={root}", holds: some({ id: "{child}" }) }],
  },
  {
    request: "PUT /queue-options/{child}",
    proves: "a text is changed (Q-02)",
    send: {
      id: "{child}",
      title: "Boleto novo",
      message: "Aqui",
      option: "1",
      queueId: "{finance}",
      parentId: "{root}",
    },
    after: [
      {
        get: "/queue-options?queueId={finance}&parentId={root}",
        holds: some({ id: "{child}", title: "Boleto novo", message: "Aqui" }),
      },
    ],
  },
  {
    request: "DELETE /queue-options/{child}",
    proves: "is gone (Q-02)",
    after: [{ get: "/queue-options?queueId={finance}&parentId={root}", holds: [] }],
  },
  { request: "DELETE /queue-options/{root}", proves: "and the root (Q-02)" },
  { request: "DELETE /queue/{minimal}", proves: "is deleted (Q-01)" },
  {
    request: "DELETE /queue/{finance}",
    proves: "is gone, and told (Q-01)",
    after: [{ get: "/queue", holds: none({ id: "{finance}" }) }],
    hears: [{ channel: "company-{company}-queue", holds: { action: "delete", queueId: "{finance}" } }],
  },
  {
    request: "POST /queue",
    proves: "an agent may not (E-01)",
    as: "agent",
    send: fromTheDialog,
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
];
