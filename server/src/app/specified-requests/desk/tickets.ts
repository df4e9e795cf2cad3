import {
  every,
  flag,
  jsonText,
  maybe,
  none,
  number,
  refusal,
  sentence,
  some,
  someText,
  text,
  time,
} from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 1, section 3. */
const ticket = {
  id: number,
  uuid: someText,
  status: text,
  userId: maybe(number),
  user: maybe({ id: number, name: text }),
  queueId: maybe(number),
  queue: maybe({ name: text, color: text }),
  contactId: number,
  contact: { id: number, name: text, number: text },
  whatsappId: number,
  whatsapp: { id: number, name: text },
  tags: every({ id: number, name: text, color: text }),
  chatbot: flag,
  isGroup: flag,
  lastMessage: text,
  unreadMessages: number,
  updatedAt: time,
  useIntegration: flag,
  integrationId: maybe(number),
  promptId: maybe(number),
};

const page = { count: number, hasMore: flag };
const customer = "5511987650010";

/** Specification 1, sections 4, 5 and 7; behaviour 1, 2 and 4. */
export const tickets: readonly SpecifiedRequest[] = [
  {
    request: "GET /tickets?status=pending&pageNumber=1",
    proves: "what a customer wrote waits, for who sees tickets without a queue (T-05, T-06)",
    arrives: [{ from: customer, says: "Bom dia, tudo bem?" }],
    as: "agent",
    holds: { ...page, tickets: some({ ...ticket, status: "pending", userId: null, user: null }) },
    keep: { ticket: "tickets.0.id", uuid: "tickets.0.uuid", customer: "tickets.0.contactId" },
  },
  {
    request: "GET /tickets?status=pending&pageNumber=1",
    proves: "and not for who does not (T-06)",
    as: "colleague",
    holds: { ...page, tickets: none({ id: "{ticket}" }) },
  },
  {
    request: "PUT /tickets/{ticket}",
    proves: "accept: the caller becomes the owner, empty ids are none (T-08, E-03)",
    as: "agent",
    send: {
      status: "open",
      userId: "{agent}",
      queueId: "{queue}",
      useIntegration: false,
      promptId: "",
      integrationId: "",
    },
    holds: { ...ticket, status: "open", userId: "{agent}", queueId: "{queue}", promptId: null, integrationId: null },
    hears: [
      {
        channel: "company-{company}-ticket",
        as: "agent",
        holds: { action: "update", ticket: { ...ticket, id: "{ticket}", status: "open" } },
      },
      { channel: "company-{company}-ticket", holds: { action: "delete", ticketId: "{ticket}" } },
      { channel: "company-{company}-ticket", holds: { action: "update", ticket: { id: "{ticket}", status: "open" } } },
    ],
  },
  {
    request: "GET /tickets/{ticket}",
    proves: "one ticket by its id (T-23)",
    as: "agent",
    holds: {
      ...ticket,
      id: "{ticket}",
      user: { id: "{agent}", name: "Ana Lima" },
      queue: { name: "Suporte", color: "#123456" },
      whatsapp: { id: "{connection}", name: "Balcão" },
    },
  },
  {
    request: "GET /tickets/u/{uuid}",
    proves: "and by its uuid (T-23)",
    as: "agent",
    holds: { id: "{ticket}", uuid: "{uuid}" },
  },
  {
    request: "GET /tickets/u/{uuid}",
    proves: "a queue that is not one's own is no permission, or not there (T-17)",
    as: "colleague",
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "GET /tickets/{ticket}",
    proves: "another company's ticket is not found (T-23)",
    as: "stranger",
    status: 404,
    holds: refusal("ERR_NO_TICKET_FOUND"),
  },
  {
    request:
      "GET /tickets?pageNumber=1&searchParam=&status=open&showAll=true&tags=[]&users=[]&queueIds=[{queue}]&date=&updatedAt=&withUnreadMessages=false",
    proves: "every filter at once, the lists as JSON arrays (T-05)",
    holds: { ...page, tickets: some({ id: "{ticket}" }) },
  },
  {
    request: "GET /tickets?pageNumber=1&status=open&showAll=true&queueIds=[{sales}]",
    proves: "another queue has it not (T-05)",
    holds: { tickets: none({ id: "{ticket}" }) },
  },
  {
    request: 'GET /tickets?pageNumber=1&showAll=true&searchParam=bom dia&queueIds=["{queue}"]',
    proves: "a word of the conversation finds it, ids as texts (T-03, T-05, E-03)",
    holds: { tickets: some({ id: "{ticket}" }) },
  },
  {
    request: "GET /tickets?pageNumber=1&showAll=true&users=[{agent}]",
    proves: "by its owner (T-03, T-05)",
    holds: { tickets: some({ id: "{ticket}" }) },
  },
  {
    request: "GET /tickets?pageNumber=1&showAll=true&users=[{colleague}]",
    proves: "not by another (T-03, T-05)",
    holds: { tickets: none({ id: "{ticket}" }) },
  },
  {
    request: "GET /tickets?pageNumber=1&showAll=true&date={today}",
    proves: "by the day of its beginning (T-05)",
    holds: { tickets: some({ id: "{ticket}" }) },
  },
  {
    request: "GET /tickets?pageNumber=1&showAll=true&updatedAt={today}",
    proves: "by the day of its change (T-05)",
    holds: { tickets: some({ id: "{ticket}" }) },
  },
  {
    request: "GET /tickets?pageNumber=1&showAll=true&updatedAt=2001-01-01",
    proves: "not on another day (T-05)",
    holds: { tickets: [], count: 0, hasMore: false },
  },
  {
    request: "GET /tickets?pageNumber=1&showAll=true&withUnreadMessages=true",
    proves: "what is unread (T-05)",
    holds: { tickets: every({ unreadMessages: number }) },
  },
  {
    request: "PUT /tickets/{ticket}",
    proves: "return: the user is cleared (T-09)",
    as: "agent",
    send: { status: "pending", userId: null },
    holds: { status: "pending", userId: null, user: null },
    hears: [
      {
        channel: "company-{company}-ticket",
        as: "supervisor",
        holds: { action: "update", ticket: { id: "{ticket}", userId: null } },
      },
    ],
  },
  {
    request: "PUT /tickets/{ticket}",
    proves: "accept again, ids as texts (T-08, E-03)",
    as: "agent",
    send: { status: "open", userId: "{agentText}" },
    holds: { status: "open", userId: "{agent}" },
  },
  {
    request: "PUT /tickets/{ticket}",
    proves: "transfer to a queue without a user waits there (T-14, E-03)",
    as: "agent",
    send: { userId: "", queueId: "{sales}", whatsappId: "", status: "pending" },
    holds: { status: "pending", userId: null, queueId: "{sales}" },
    hears: [
      {
        channel: "company-{company}-ticket",
        as: "colleague",
        holds: { action: "update", ticket: { id: "{ticket}", queueId: "{sales}" } },
      },
      { channel: "company-{company}-ticket", as: "agent", holds: { action: "delete", ticketId: "{ticket}" } },
    ],
  },
  {
    request: "PUT /tickets/{ticket}",
    proves: "the other queue accepts (T-08)",
    as: "colleague",
    send: { status: "open", userId: "{colleague}" },
    holds: { status: "open", userId: "{colleague}" },
  },
  {
    request: "PUT /tickets/{ticket}",
    proves: "resolve: queue kept, integration and prompt cleared (T-10)",
    as: "colleague",
    send: {
      status: "closed",
      userId: "{colleague}",
      queueId: "{sales}",
      useIntegration: false,
      promptId: false,
      integrationId: false,
    },
    holds: { status: "closed", queueId: "{sales}", useIntegration: false, promptId: null, integrationId: null },
    after: [
      { get: "/tickets?status=closed&pageNumber=1", as: "colleague", holds: { tickets: some({ id: "{ticket}" }) } },
    ],
    hears: [
      { channel: "company-{company}-ticket", as: "colleague", holds: { action: "delete", ticketId: "{ticket}" } },
    ],
  },
  {
    request: "PUT /tickets/{ticket}",
    proves: "reopen: the caller becomes the owner (T-11)",
    as: "colleague",
    send: { status: "open", userId: "{colleague}" },
    holds: { status: "open", userId: "{colleague}" },
  },
  {
    request: "POST /tickets",
    proves: "one that lives is a conflict, with the ticket itself as text (T-16, E-01)",
    as: "colleague",
    send: { contactId: "{customer}", queueId: "{sales}", whatsappId: "", userId: "{colleague}", status: "open" },
    status: 409,
    holds: {
      error: jsonText({
        id: "{ticket}",
        uuid: "{uuid}",
        userId: "{colleague}",
        user: { name: "Beto Dias" },
        queue: { name: "Vendas" },
      }),
      code: "ERR_OTHER_OPEN_TICKET",
      message: sentence,
      requestId: someText,
    },
  },
  {
    request: "POST /tickets",
    proves: "a new one is open (T-15, T-23, E-03)",
    as: "agent",
    send: { contactId: "{contactText}", queueId: "{queue}", userId: "{agent}", status: "open" },
    holds: { ...ticket, status: "open", userId: "{agent}", queueId: "{queue}", contactId: "{contact}" },
    keep: { mine: "id", mineUuid: "uuid" },
    hears: [
      { channel: "company-{company}-ticket", as: "agent", holds: { action: "update", ticket: { id: "{mine}" } } },
    ],
  },
  {
    request: "DELETE /tickets/{ticket}",
    proves: "an agent may not (T-18)",
    as: "agent",
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "DELETE /tickets/{ticket}",
    proves: "is gone everywhere, and told (T-18)",
    after: [{ get: "/tickets/{ticket}", status: 404, holds: refusal("ERR_NO_TICKET_FOUND") }],
    hears: [
      { channel: "company-{company}-ticket", as: "colleague", holds: { action: "delete", ticketId: "{ticket}" } },
    ],
  },
];
