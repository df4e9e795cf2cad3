import { every, flag, maybe, number, refusal, some, none, text, time } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 2, section 3. The token is a secret: it is taken, and not told again. */
const connection = {
  id: number,
  name: text,
  status: text,
  isDefault: flag,
  updatedAt: time,
  qrcode: maybe(text),
  retries: number,
  provider: text,
  queues: every({ id: number, name: text, color: text }),
  greetingMessage: text,
  complationMessage: text,
  outOfHoursMessage: text,
  ratingMessage: text,
  promptId: maybe(number),
  transferQueueId: maybe(number),
  timeToTransfer: maybe(number),
  expiresTicket: number,
  expiresInactiveMessage: text,
  timeUseBotQueues: number,
  maxUseBotQueues: number,
};

/** What the family's dialog sends: fields that were never filled in are "". */
const fromTheDialog = {
  name: "Segunda linha",
  greetingMessage: "Olá, {{firstName}}!",
  complationMessage: "",
  outOfHoursMessage: "",
  ratingMessage: "",
  isDefault: false,
  token: "",
  provider: "beta",
  queueIds: ["{queue}"],
  transferQueueId: "",
  timeToTransfer: "",
  promptId: null,
  maxUseBotQueues: "3",
  timeUseBotQueues: "0",
  expiresTicket: "0",
  expiresInactiveMessage: "",
};

/** Specification 1 and 2, section 7. */
export const connections: readonly SpecifiedRequest[] = [
  {
    request: "GET /whatsapp/?session=0&companyId={company}",
    proves: "the connections, as a list (W-01, T-23)",
    as: "agent",
    holds: some({ id: "{connection}", name: "Balcão", status: "CONNECTED", isDefault: true }),
  },
  {
    request: "GET /whatsapp?session=0&companyId=",
    proves: "an empty company is one's own (W-01, E-03)",
    holds: every(connection),
  },
  {
    request: "GET whatsapp/{connection}?session=0",
    proves: "one connection with every field (W-02)",
    holds: { ...connection, id: "{connection}", queues: some({ id: "{queue}", color: "#123456" }) },
  },
  {
    request: "POST /whatsapp",
    proves: "a dialog with empty fields is saved, the empty ids as none (W-02, E-03)",
    send: fromTheDialog,
    holds: {
      ...connection,
      name: "Segunda linha",
      provider: "beta",
      isDefault: false,
      promptId: null,
      transferQueueId: null,
      maxUseBotQueues: 3,
      queues: [{ id: "{queue}" }],
    },
    keep: { second: "id" },
    after: [{ get: "/whatsapp/{second}", holds: { ...connection, name: "Segunda linha", promptId: null } }],
    hears: [{ channel: "company-{company}-whatsapp", holds: { action: "update", whatsapp: { id: "{second}" } } }],
  },
  {
    request: "POST /whatsapp",
    proves: "a name alone is enough, with the defaults of the specification (W-02, E-03)",
    send: { name: "Só nome", greetingMessage: "Oi", queueIds: [] },
    holds: { provider: "beta", maxUseBotQueues: 3, expiresTicket: 0, timeUseBotQueues: 0, isDefault: false },
    keep: { third: "id" },
  },
  {
    request: "POST /whatsapp",
    proves: "several queues want a greeting (W-02, E-01)",
    send: { name: "Muda", queueIds: ["{queue}", "{sales}"], greetingMessage: "" },
    status: 400,
    holds: refusal("ERR_WAPP_GREETING_REQUIRED"),
  },
  {
    request: "POST /whatsapp",
    proves: "an agent may not add one (W-02)",
    as: "agent",
    send: fromTheDialog,
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "GET /whatsapp/{second}?session=0",
    proves: "the dialog opens (W-02)",
    keep: { record: "" },
  },
  {
    request: "PUT /whatsapp/{second}",
    proves: "the record whole, as it was read, goes back (W-02, E-03)",
    send: "{record}",
    after: [{ get: "/whatsapp/{second}", holds: { name: "Segunda linha", queues: [{ id: "{queue}" }] } }],
  },
  {
    request: "PUT /whatsapp/{second}",
    proves: 'changed fields are stored, `false`, 0 and "null" are no queue (W-02, E-03)',
    send: {
      ...fromTheDialog,
      name: "Linha dois",
      transferQueueId: false,
      promptId: "null",
      integrationId: 0,
      timeToTransfer: 0,
      expiresTicket: 30,
      expiresInactiveMessage: "Até logo",
      ratingMessage: "Nota?",
      queueIds: [],
    },
    holds: { id: "{second}", name: "Linha dois" },
    after: [
      {
        get: "/whatsapp/{second}",
        holds: {
          transferQueueId: null,
          promptId: null,
          timeToTransfer: 0,
          expiresTicket: 30,
          expiresInactiveMessage: "Até logo",
          ratingMessage: "Nota?",
          queues: [],
        },
      },
    ],
    hears: [
      {
        channel: "company-{company}-whatsapp",
        holds: { action: "update", whatsapp: { id: "{second}", name: "Linha dois" } },
      },
    ],
  },
  {
    request: "PUT /whatsapp/{second}",
    proves: "a transfer queue chosen in a list of texts is the queue (W-02, E-03)",
    send: { ...fromTheDialog, name: "Linha dois", transferQueueId: "{queueText}", timeToTransfer: "5" },
    holds: { transferQueueId: "{queue}", timeToTransfer: 5 },
  },
  { request: "POST /whatsappsession/{second}", proves: "tries again (W-04)" },
  {
    request: "PUT /whatsappsession/{second}",
    proves: "asks for a new QR, told to the company (W-04, W-03)",
    hears: [
      {
        channel: "company-{company}-whatsappSession",
        holds: { action: "update", session: { id: "{second}", status: text, qrcode: maybe(text) } },
      },
    ],
  },
  { request: "DELETE /whatsappsession/{second}", proves: "disconnects (W-04)" },
  {
    request: "DELETE /whatsapp/{second}",
    proves: "is gone, and told (W-01)",
    after: [
      { get: "/whatsapp", holds: none({ id: "{second}" }) },
      { get: "/whatsapp/{second}", status: 404, holds: refusal("ERR_NO_WAPP_FOUND") },
    ],
    hears: [
      { channel: "company-{company}-whatsapp", as: "agent", holds: { action: "delete", whatsappId: "{second}" } },
    ],
  },
  { request: "DELETE /whatsapp/{third}", proves: "the other one as well (W-01)" },
  {
    request: "PUT /whatsapp/{connection}",
    proves: "the only default must stay the default (W-02, E-01)",
    send: { name: "Balcão", isDefault: false, greetingMessage: "Bom dia!", queueIds: ["{queue}", "{sales}"] },
    status: 400,
    holds: refusal("ERR_NO_OTHER_WHATSAPP"),
  },
  {
    request: "GET /whatsapp/{connection}",
    proves: "another company's is not found (W-01)",
    as: "stranger",
    status: 404,
    holds: refusal("ERR_NO_WAPP_FOUND"),
  },
];
