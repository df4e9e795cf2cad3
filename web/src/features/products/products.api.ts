import { products } from "@prosa/contract/products";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

/** The products screen. Events do not tell how many conversations have a product, so it is fetched whenever it opens. */
export const productsResource = createResource({
  key: "products",
  list: products.list,
  page: ({ products: items, count, hasMore }) => ({ items, count, hasMore }),
  create: products.create,
  update: products.update,
  remove: products.remove,
  hasNoEvents: true,
});

/** Every product of the company, by name, for pickers. */
export const productsOptions = queryOptions({
  queryKey: ["products", "lookup"],
  queryFn: ({ signal }) => call(products.lookup, { query: {}, signal }),
});

/** Adds a product to a ticket, or removes it (T-20). Returns all products of the ticket. */
export function useTicketProduct() {
  return useMutation({
    mutationFn: ({
      verb,
      ...params
    }: {
      readonly verb: "add" | "remove";
      readonly ticketId: number;
      readonly productId: number;
    }) => call(verb === "add" ? products.addToTicket : products.takeFromTicket, { params }),
  });
}
