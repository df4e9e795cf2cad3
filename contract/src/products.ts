import { z } from "zod";
import { changesOf, done, id, idParams, name2to50, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const product = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.string(),
  /** In reais; null: none. */
  price: z.number().nullable(),
});
export type Product = z.output<typeof product>;

/** A product with its usage, for the products screen. */
export const productRecord = product.extend({ ticketsCount: z.number().int() });
export type ProductRecord = z.output<typeof productRecord>;

const price = z.union([
  z.null(),
  z.literal("").transform(() => null),
  z.coerce.number().min(0).max(9_999_999.99).multipleOf(0.01),
]);

export const productBody = z.object({
  name: name2to50,
  type: z.string().trim().max(50).default(""),
  price: price.default(null),
});
export type ProductBody = z.output<typeof productBody>;

const ticketProductParams = z.object({ ticketId: id, productId: id });

export const products = {
  list: endpoint({
    method: "GET",
    path: "/products",
    summary: "Products, a page at a time",
    access: { who: "session" },
    query: z.object({ searchParam, pageNumber }),
    response: paged("products", productRecord),
  }),
  lookup: endpoint({
    method: "GET",
    path: "/products/list",
    summary: "Every product of the company, for a picker",
    access: { who: "session" },
    query: z.object({ companyId: z.string().optional() }),
    response: z.array(product),
  }),
  get: endpoint({
    method: "GET",
    path: "/products/:id",
    summary: "One product",
    access: { who: "session" },
    params: idParams,
    response: productRecord,
  }),
  create: endpoint({
    method: "POST",
    path: "/products",
    summary: "Add a product",
    access: { who: "session" },
    body: productBody,
    response: productRecord,
  }),
  update: endpoint({
    method: "PUT",
    path: "/products/:id",
    summary: "Change a product",
    access: { who: "session" },
    params: idParams,
    body: changesOf(productBody),
    response: productRecord,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/products/:id",
    summary: "Delete a product; it is taken off every ticket",
    access: { who: "session", rule: "products:delete" },
    params: idParams,
    response: done,
  }),
  ofTicket: endpoint({
    method: "GET",
    path: "/ticket-products/:ticketId",
    summary: "Products of a ticket",
    access: { who: "session" },
    params: z.object({ ticketId: id }),
    response: z.array(product),
  }),
  addToTicket: endpoint({
    method: "POST",
    path: "/ticket-products/:ticketId/:productId",
    summary: "Put a product on a ticket",
    access: { who: "session" },
    params: ticketProductParams,
    response: z.array(product),
  }),
  takeFromTicket: endpoint({
    method: "DELETE",
    path: "/ticket-products/:ticketId/:productId",
    summary: "Take a product off a ticket",
    access: { who: "session" },
    params: ticketProductParams,
    response: z.array(product),
  }),
} as const;
