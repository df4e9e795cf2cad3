import { every, flag, none, number, refusal, some, someText, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const card = {
  id: number,
  uuid: someText,
  contact: { name: text, number: text },
  lastMessage: text,
  tags: every({ id: number, name: text, color: text }),
};

/** Specification 2, sections 2, 3 and 7; behaviour 1. */
export const kanban: readonly SpecifiedRequest[] = [
  {
    request: "POST /tags",
    proves: "a lane is a tag with the flag (O-02, O-04)",
    send: { name: "Negociação", color: "#00aa00", kanban: 1 },
    holds: { id: number, kanban: 1 },
    keep: { lane: "id" },
  },
  {
    request: "POST /tags",
    proves: "and another one (O-02, O-04)",
    send: { name: "Fechado", color: "#0000aa", kanban: 1 },
    keep: { otherLane: "id" },
  },
  {
    request: "GET /tags/kanban",
    proves: "the lanes, as lista (O-02)",
    as: "agent",
    holds: { lista: some({ id: "{lane}", name: "Negociação", color: "#00aa00", kanban: 1 }) },
  },
  {
    request: "GET /ticket/kanban?queueIds=[{queue}]",
    proves: "the cards of one's queues, the ids as JSON (O-02)",
    as: "agent",
    holds: { tickets: some({ ...card, id: "{mine}", uuid: "{mineUuid}" }), count: number, hasMore: flag },
  },
  {
    request: "GET /ticket/kanban?queueIds=[{sales}]",
    proves: "another queue's are not shown (O-02)",
    holds: { tickets: none({ id: "{mine}" }) },
  },
  {
    request: "GET /ticket/kanban?queueIds=[]",
    proves: "nobody sees a queue that is not theirs (O-02)",
    as: "colleague",
    holds: { tickets: none({ id: "{mine}" }) },
  },
  {
    request: "PUT /ticket-tags/{mine}/{lane}",
    proves: "into a lane: the card has its tag, told to the lists (O-02)",
    as: "agent",
    after: [
      {
        get: "/ticket/kanban?queueIds=[{queue}]",
        as: "agent",
        holds: { tickets: some({ id: "{mine}", tags: [{ id: "{lane}" }] }) },
      },
    ],
    hears: [
      {
        channel: "company-{company}-ticket",
        as: "agent",
        holds: { action: "update", ticket: { id: "{mine}", tags: [{ id: "{lane}" }] } },
      },
    ],
  },
  {
    request: "DELETE /ticket-tags/{mine}",
    proves: "first step of a move: the old lane's tag goes (O-02)",
    as: "agent",
  },
  {
    request: "PUT /ticket-tags/{mine}/{otherLane}",
    proves: "second step: the new lane's tag comes (O-02)",
    as: "agent",
    after: [{ get: "/tickets/{mine}", as: "agent", holds: { tags: [{ id: "{otherLane}", name: "Fechado" }] } }],
  },
  {
    request: "PUT /ticket-tags/{mine}/{urgent}",
    proves: "a tag that is no lane stays beside the lane's (O-02)",
    as: "agent",
    after: [{ get: "/tickets/{mine}", as: "agent", holds: { tags: some({ id: "{otherLane}" }) } }],
  },
  {
    request: "DELETE /ticket-tags/{mine}",
    proves: "back to the open lane (O-02)",
    as: "agent",
    after: [{ get: "/tickets/{mine}", as: "agent", holds: { tags: none({ id: "{otherLane}" }) } }],
  },
  {
    request: "PUT /ticket-tags/{mine}/{lane}",
    proves: "a queue that is not one's own is refused (O-02)",
    as: "colleague",
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "DELETE /ticket-tags/{mine}",
    proves: "another company's card is not found (O-02)",
    as: "stranger",
    status: 404,
    holds: refusal("ERR_NO_TICKET_FOUND"),
  },
];
