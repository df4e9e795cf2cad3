import { flag, maybe, none, number, refusal, some, text, time } from "../format/kinds.ts";
import { form, png } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 2, section 3. */
const campaign = {
  id: number,
  name: text,
  message1: text,
  message5: text,
  confirmationMessage1: text,
  confirmationMessage5: text,
  status: text,
  confirmation: flag,
  scheduledAt: maybe(time),
  completedAt: maybe(time),
  whatsappId: maybe(number),
  contactListId: maybe(number),
  tagListId: maybe(number),
  fileListId: maybe(number),
  companyId: "{company}",
  mediaPath: maybe(text),
  mediaName: maybe(text),
};

const told = (record: object) => [
  { channel: "company-{company}-campaign", as: "admin" as const, holds: { action: "update", record } },
];

export const campaigns: readonly SpecifiedRequest[] = [
  {
    request: "POST /contact-lists",
    proves: "the list of a campaign (K-01)",
    send: { name: "Quem aceitou" },
    keep: { invited: "id" },
  },
  {
    request: "POST /contact-list-items",
    proves: "its contact (K-02)",
    send: { name: "Caio Melo", number: "5511987650202", contactListId: "{invited}" },
  },
  {
    request: "POST /campaigns",
    proves: "the dialog's campaign, with what the family leaves empty, is inactive and told (K-03, E-03)",
    send: {
      name: "Novidades",
      message1: "Olá! Chegaram novidades.",
      message2: "",
      confirmation: false,
      status: "INATIVA",
      scheduledAt: "",
      whatsappId: "",
      contactListId: "",
      tagListId: "",
      fileListId: "",
      companyId: "{company}",
    },
    holds: {
      ...campaign,
      name: "Novidades",
      message1: "Olá! Chegaram novidades.",
      status: "INATIVA",
      scheduledAt: null,
    },
    keep: { campaign: "id" },
    hears: [
      {
        channel: "company-{company}-campaign",
        as: "admin",
        holds: { action: "create", record: { ...campaign, id: "{campaign}" } },
      },
    ],
  },
  {
    request: "POST /campaigns",
    proves: "a name of one letter is refused, in a sentence (K-03, E-03)",
    send: { name: "N" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "GET /campaigns",
    proves: "an agent may not (K-03, E-01)",
    as: "agent",
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "POST /campaigns/{campaign}/media-upload",
    proves: "a file (K-03)",
    send: form(["typeArch", "campaign"], ["file", png("oferta.png")]),
    after: [{ get: "/campaigns/{campaign}", holds: { ...campaign, mediaName: "oferta.png", mediaPath: text } }],
  },
  {
    request: "DELETE /campaigns/{campaign}/media-upload",
    proves: "the file is off (K-03)",
    after: [{ get: "/campaigns/{campaign}", holds: { ...campaign, mediaName: null, mediaPath: null } }],
  },
  {
    request: "POST /campaigns/{campaign}/cancel",
    proves: "only one that is being sent is stopped (K-04)",
    status: 409,
  },
  {
    request: "PUT /campaigns/{campaign}",
    proves: "with a time that is over it starts at once (K-03, K-04)",
    send: {
      id: "{campaign}",
      name: "Novidades de maio",
      message1: "Olá! Chegaram novidades.",
      scheduledAt: "2020-01-01T12:00:00.000Z",
      whatsappId: "{connection}",
      contactListId: "{invited}",
      companyId: "{company}",
    },
    holds: { ...campaign, name: "Novidades de maio", whatsappId: "{connection}", contactListId: "{invited}" },
    after: [{ get: "/campaigns/{campaign}", holds: { ...campaign, status: "EM_ANDAMENTO", shipping: [] } }],
    hears: told({ ...campaign, id: "{campaign}" }),
  },
  {
    request: "POST /campaigns/{campaign}/cancel",
    proves: "stops, and is told (K-04)",
    after: [{ get: "/campaigns/{campaign}", holds: { ...campaign, status: "CANCELADA" } }],
    hears: told({ id: "{campaign}" }),
  },
  {
    request: "POST /campaigns/{campaign}/restart",
    proves: "goes on (K-04)",
    after: [{ get: "/campaigns/{campaign}", holds: { ...campaign, status: "EM_ANDAMENTO" } }],
  },
  {
    request: "DELETE /campaigns/{campaign}",
    proves: "not while it is being sent (K-04)",
    status: 409,
  },
  {
    request: "GET /campaigns/{campaign}",
    proves: "one, with the counts of its list (K-07)",
    holds: { ...campaign, contactList: { id: "{invited}", name: "Quem aceitou", contactsCount: 1 } },
  },
  {
    request: "GET /campaigns/?searchParam=maio&pageNumber=1",
    proves: "a page, with list and connection (K-03)",
    holds: {
      records: [
        {
          ...campaign,
          id: "{campaign}",
          whatsapp: { id: "{connection}", name: text },
          contactList: { id: "{invited}", name: "Quem aceitou" },
        },
      ],
      count: 1,
      hasMore: false,
    },
  },
  {
    request: "POST /campaigns/{campaign}/cancel",
    proves: "a second time (K-04)",
  },
  {
    request: "DELETE /campaigns/{campaign}",
    proves: "it is gone, and told (K-03)",
    after: [{ get: "/campaigns/?searchParam=&pageNumber=1", holds: { records: none({ id: "{campaign}" }) } }],
    hears: [{ channel: "company-{company}-campaign", as: "admin", holds: { action: "delete", id: "{campaign}" } }],
  },
  {
    request: "POST /campaign-settings",
    proves: "pace and variables (K-08)",
    send: {
      settings: {
        messageInterval: 10,
        longerIntervalAfter: 20,
        greaterInterval: 60,
        variables: [{ key: "loja", value: "Centro" }],
      },
    },
    after: [{ get: "/campaign-settings", holds: some({ key: "messageInterval", value: "10" }) }],
  },
  {
    request: "GET /campaign-settings",
    proves: "a list of keys and JSON values (K-08)",
    holds: some({ key: "variables", value: '[{"key":"loja","value":"Centro"}]' }),
  },
];
