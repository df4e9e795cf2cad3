import { z } from "zod";
import { booleanText, id, idOrNone, jsonArray, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { tag } from "./tags.ts";
import { ticketPage } from "./tickets.ts";

/** Id of the lane of tickets without a lane's tag (specification 2 section 2: the "open" lane). */
export const openLaneId = 0;

/**
 * Which cards: the pending and open tickets that the user may see, colleagues' too. `showAll=false`: of the open ones only
 * the user's own. Clients that do not name it mean every ticket of the user's queues (specification 2 sections 6 and 7).
 */
const cardFilter = z.object({ searchParam, queueIds: jsonArray(idOrNone), showAll: booleanText.default(true) });

const access = { who: "session", plan: "useKanban" } as const;

/** Board of tickets: one lane for each tag with the kanban flag, and the open lane before them (O-02). */
export const kanban = {
  cards: endpoint({
    method: "GET",
    path: "/ticket/kanban",
    summary: "Cards of the board, or of one lane, newest word first, a page at a time",
    access,
    query: cardFilter.extend({ pageNumber, laneId: idOrNone.optional() }),
    response: ticketPage,
  }),
  counts: endpoint({
    method: "GET",
    path: "/ticket/kanban/counts",
    summary: "How many cards each lane holds; a lane without cards is listed with 0",
    access,
    query: cardFilter,
    response: z.object({ lanes: z.array(z.object({ laneId: z.number().int(), count: z.number().int() })) }),
  }),
  /** A ticket in several lanes, because somebody gave it several tags, is in this one only afterwards. */
  moveToLane: endpoint({
    method: "PUT",
    path: "/ticket-tags/:ticketId/:tagId",
    summary: "Move a ticket to the lane of a tag: it replaces the tags of other lanes, and leaves ordinary ones",
    access,
    params: z.object({ ticketId: id, tagId: id }),
    response: z.object({ ticketId: z.number().int(), tags: z.array(tag) }),
  }),
  moveToOpenLane: endpoint({
    method: "DELETE",
    path: "/ticket-tags/:ticketId",
    summary: "Move a ticket to the open lane: takes the tags of lanes off it, and leaves ordinary ones",
    access,
    params: z.object({ ticketId: id }),
    response: z.object({ ticketId: z.number().int(), tags: z.array(tag) }),
  }),
  orderLanes: endpoint({
    method: "PUT",
    path: "/tags/kanban/order",
    summary: "Order of the lanes, for everybody of the company; lanes that are not named stay behind the named ones",
    access: { ...access, rule: "tags:editKanban" },
    body: z.object({ tagIds: z.array(id).min(1).max(500) }),
    response: z.object({ lista: z.array(tag) }),
  }),
} as const;
