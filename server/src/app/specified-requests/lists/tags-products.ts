import { every, flag, maybe, none, number, refusal, some, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const tag = { id: number, name: text, color: text, kanban: number, userId: maybe(number), ticketsCount: number };
const product = { id: number, name: text, type: text };

/** Specification 2, sections 3, 5, 6 and 7. */
export const tags: readonly SpecifiedRequest[] = [
  {
    request: "POST /tags",
    proves: "the dialog's tag, with its maker (O-04, E-03)",
    as: "agent",
    send: { name: "Retorno", color: "#A4CCCC", kanban: 0, userId: "{agent}" },
    holds: { id: number, name: "Retorno", color: "#A4CCCC", kanban: 0 },
    keep: { tag: "id" },
    after: [{ get: "/tags/{tag}", as: "agent", holds: { id: "{tag}", name: "Retorno", color: "#A4CCCC", kanban: 0 } }],
    hears: [
      {
        channel: "company-{company}-tag",
        as: "colleague",
        holds: { action: "create", record: { id: "{tag}", name: "Retorno" } },
      },
    ],
  },
  {
    request: "POST /tags",
    proves: "two letters are too short, in a sentence (O-04, E-03)",
    send: { name: "ab", color: "#A4CCCC" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "GET /tags/?searchParam=retorno&pageNumber=1",
    proves: "a page that the search found, with counts (O-04, T-23)",
    as: "agent",
    holds: { tags: [{ ...tag, id: "{tag}", ticketsCount: 0 }], count: 1, hasMore: false },
  },
  {
    request: "GET /tags?companyId={company}",
    proves: "of one's own company (O-04)",
    as: "agent",
    holds: { tags: some({ id: "{tag}" }), hasMore: flag },
  },
  {
    request: "GET /tags/list",
    proves: "the lookup is a bare list (T-20)",
    as: "agent",
    holds: some({ id: "{tag}", name: "Retorno", color: text }),
  },
  { request: "GET /tags/{tag}", proves: "the dialog opens (O-04)", keep: { record: "" } },
  {
    request: "PUT /tags/{tag}",
    proves: "the record whole, as it was read, goes back (O-04, E-03)",
    send: "{record}",
    after: [{ get: "/tags/{tag}", holds: { name: "Retorno", kanban: 0 } }],
  },
  {
    request: "PUT /tags/{tag}",
    proves: "a supervisor makes it a lane, the flag as true (O-04, E-03)",
    as: "supervisor",
    send: { id: "{tag}", name: "Retorno amanhã", color: "#112233", kanban: true, userId: "" },
    after: [
      { get: "/tags/{tag}", holds: { name: "Retorno amanhã", color: "#112233", kanban: 1 } },
      { get: "/tags/kanban", holds: { lista: some({ id: "{tag}" }) } },
    ],
    hears: [
      {
        channel: "company-{company}-tag",
        holds: { action: "update", record: { id: "{tag}", name: "Retorno amanhã", kanban: 1 } },
      },
    ],
  },
  {
    request: "PUT /tags/{tag}",
    proves: "an agent may not toggle the lane (O-04, E-01)",
    as: "agent",
    send: { name: "Retorno amanhã", color: "#112233", kanban: 0 },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "DELETE /tags/{tag}",
    proves: "is gone, and told (O-04)",
    after: [
      { get: "/tags/list", holds: none({ id: "{tag}" }) },
      { get: "/tags/{tag}", status: 404 },
    ],
    hears: [{ channel: "company-{company}-tag", as: "agent", holds: { action: "delete", id: "{tag}" } }],
  },
];

export const products: readonly SpecifiedRequest[] = [
  {
    request: "POST /products",
    proves: "name and type are all that the specification has (O-10, E-03)",
    send: { name: "Torta", type: "sobremesa" },
    holds: product,
    keep: { pie: "id" },
    hears: [
      {
        channel: "company-{company}-product",
        as: "agent",
        holds: { action: "create", record: { id: "{pie}", name: "Torta" } },
      },
    ],
  },
  {
    request: "POST /products",
    proves: "a type left empty (O-10, E-03)",
    send: { name: "Café", type: "" },
    holds: { name: "Café" },
    keep: { coffee: "id" },
  },
  {
    request: "GET /products/?searchParam=&pageNumber=1",
    proves: "a page (O-10, T-23)",
    as: "agent",
    holds: { products: some({ ...product, id: "{pie}" }), count: number, hasMore: flag },
  },
  {
    request: "GET /products/list",
    proves: "the lookup is a bare list (O-10)",
    as: "agent",
    holds: every(product),
  },
  { request: "GET /products/{pie}", proves: "the dialog opens (O-10)", holds: product, keep: { record: "" } },
  {
    request: "PUT /products/{pie}",
    proves: "the record whole, as it was read, goes back (O-10, E-03)",
    send: "{record}",
    after: [{ get: "/products/{pie}", holds: { name: "Torta", type: "sobremesa" } }],
  },
  {
    request: "PUT /products/{pie}",
    proves: "a change is stored and told (O-10)",
    send: { id: "{pie}", name: "Torta de limão", type: "sobremesa" },
    after: [{ get: "/products/list", holds: some({ id: "{pie}", name: "Torta de limão" }) }],
    hears: [
      {
        channel: "company-{company}-product",
        holds: { action: "update", record: { id: "{pie}", name: "Torta de limão" } },
      },
    ],
  },
  {
    request: "DELETE /products/{pie}",
    proves: "is gone, and told (O-10)",
    after: [{ get: "/products/list", holds: none({ id: "{pie}" }) }],
    hears: [{ channel: "company-{company}-product", holds: { action: "delete", id: "{pie}" } }],
  },
  {
    request: "GET /products/{coffee}",
    proves: "another company's is not found (O-10)",
    as: "stranger",
    status: 404,
  },
];
