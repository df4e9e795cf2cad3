import { none, some } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Pages start at 1: messages 20, contacts 30, every other list 20 (behaviour 1). */
export const pages: readonly SpecifiedRequest[] = [
  {
    request: "POST /tags",
    proves: "one more than a page holds (O-04)",
    times: 21,
    send: { name: "Página {n}", color: "#123456" },
  },
  {
    request: "GET /tags/?searchParam=página&pageNumber=1",
    proves: "the first page is full, and says that there is more (O-04, E-04)",
    holds: { tags: { length: 20 }, count: 21, hasMore: true },
  },
  {
    request: "GET /tags/?searchParam=página&pageNumber=2",
    proves: "the second has the rest (O-04, E-04)",
    holds: { tags: { length: 1 }, count: 21, hasMore: false },
  },
  {
    request: "POST /contacts",
    proves: "one more than a page holds (C-01)",
    times: 31,
    send: { name: "Página {n}", number: "5511987770{n}" },
  },
  {
    request: "GET /contacts?searchParam=página&pageNumber=1",
    proves: "the first page is full, and says that there is more (C-01, E-04)",
    holds: { contacts: { length: 30 }, count: 31, hasMore: true },
  },
  {
    request: "GET /contacts?searchParam=página&pageNumber=2",
    proves: "the second has the rest (C-01, E-04)",
    holds: { contacts: { length: 1 }, count: 31, hasMore: false },
  },
  {
    request: "POST /messages/{mine}",
    proves: "one more than a page holds (M-16)",
    as: "agent",
    times: 21,
    send: { read: 1, fromMe: true, mediaUrl: "", body: "Linha {n}", quotedMsg: null },
  },
  {
    request: "GET /messages/{mine}?pageNumber=1",
    proves: "the newest 20, oldest to newest (M-01, M-16)",
    as: "agent",
    holds: {
      messages: { length: 20, 0: { body: "Linha 102" }, 1: { body: "Linha 103" }, 19: { body: "Linha 121" } },
      hasMore: true,
    },
  },
  {
    request: "GET /messages/{mine}?pageNumber=2",
    proves: "those before them (M-01, M-16)",
    as: "agent",
    holds: { messages: some({ body: "Linha 101" }), hasMore: false },
    after: [{ get: "/messages/{mine}?pageNumber=2", as: "agent", holds: { messages: none({ body: "Linha 102" }) } }],
  },
];
