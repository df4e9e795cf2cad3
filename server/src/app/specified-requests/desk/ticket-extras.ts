import { none, number, refusal, some, text, time } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Notes, tags and products of a ticket: specification 1, sections 3, 5 and 7. */
export const ticketExtras: readonly SpecifiedRequest[] = [
  {
    request: "POST /ticket-notes",
    proves: "a note with its author (T-21, E-03)",
    as: "agent",
    send: { note: "Cliente antiga", ticketId: "{mine}", contactId: "{contactText}" },
    holds: { id: number, note: "Cliente antiga", ticketId: "{mine}", contactId: "{contact}", createdAt: time },
    keep: { note: "id" },
    after: [
      {
        get: "/ticket-notes/list?ticketId={mine}&contactId={contact}",
        as: "agent",
        holds: some({
          id: "{note}",
          note: "Cliente antiga",
          user: { id: "{agent}", name: "Ana Lima" },
          createdAt: time,
        }),
      },
    ],
  },
  {
    request: "POST /ticket-notes",
    proves: "one letter is too short (T-21, E-03)",
    as: "agent",
    send: { note: "C", ticketId: "{mine}", contactId: "{contact}" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "GET /ticket-notes/list?ticketId={mine}&contactId=",
    proves: "the notes are a bare list, an empty contact is any (T-21, E-03)",
    as: "agent",
    holds: some({ id: "{note}", ticketId: "{mine}" }),
  },
  {
    request: "DELETE /ticket-notes/{note}",
    proves: "is gone (T-21)",
    as: "agent",
    after: [
      { get: "/ticket-notes/list?ticketId={mine}&contactId={contact}", as: "agent", holds: none({ id: "{note}" }) },
    ],
  },
  {
    request: "POST /tags",
    proves: "typed into the ticket: a name is enough (T-20, O-04, E-03)",
    as: "agent",
    send: { name: "Urgente" },
    holds: { id: number, name: "Urgente", color: text },
    keep: { urgent: "id" },
  },
  {
    request: "POST /tags/sync",
    proves: "the ticket has the tags of the list, whole records (T-20, E-03)",
    as: "agent",
    send: { ticketId: "{mine}", tags: [{ id: "{urgent}", name: "Urgente", color: "#fff", kanban: 0 }] },
    after: [{ get: "/tickets/{mine}", as: "agent", holds: { tags: [{ id: "{urgent}", name: "Urgente" }] } }],
    hears: [
      {
        channel: "company-{company}-ticket",
        as: "agent",
        holds: { action: "update", ticket: { id: "{mine}", tags: [{ id: "{urgent}" }] } },
      },
    ],
  },
  {
    request: "GET /tickets?pageNumber=1&showAll=true&tags=[{urgent}]",
    proves: "the tag finds the ticket (T-03, T-05)",
    holds: { tickets: [{ id: "{mine}" }], count: 1 },
  },
  {
    request: "POST /tags/sync",
    proves: "an empty list takes them all (T-20)",
    as: "agent",
    send: { ticketId: "{mine}", tags: [] },
    after: [{ get: "/tickets/{mine}", as: "agent", holds: { tags: [] } }],
  },
  {
    request: "POST /products",
    proves: "a product to sell (O-10)",
    send: { name: "Bolo", type: "produto" },
    holds: { id: number, name: "Bolo", type: "produto" },
    keep: { cake: "id" },
  },
  { request: "GET /ticket-products/{mine}", proves: "none yet (T-20)", as: "agent", holds: [] },
  {
    request: "POST /ticket-products/{mine}/{cake}",
    proves: "the ticket has it (T-20)",
    as: "agent",
    after: [{ get: "/ticket-products/{mine}", as: "agent", holds: [{ id: "{cake}", name: "Bolo" }] }],
    hears: [
      { channel: "company-{company}-ticket", as: "agent", holds: { action: "update", ticket: { id: "{mine}" } } },
    ],
  },
  {
    request: "DELETE /ticket-products/{mine}/{cake}",
    proves: "and has it no more (T-20)",
    as: "agent",
    after: [{ get: "/ticket-products/{mine}", as: "agent", holds: [] }],
  },
  {
    request: "POST /ticket-products/{mine}/{cake}",
    proves: "another company's ticket is not found (T-20)",
    as: "stranger",
    status: 404,
    holds: refusal("ERR_NO_TICKET_FOUND"),
  },
];
