import { products } from "@prosa/contract/products";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

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
