import { products } from "@prosa/contract/products";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";

/** Every product of the company, by name, for pickers. */
export const productsOptions = queryOptions({
  queryKey: ["products", "lookup"],
  queryFn: ({ signal }) => call(products.lookup, { query: {}, signal }),
});

/** Puts a product on a ticket, or takes it off (T-20). Answers with all of the ticket's. */
export function useTicketProduct() {
  return useMutation({
    mutationFn: ({
      verb,
      ...params
    }: {
      readonly verb: "put" | "take";
      readonly ticketId: number;
      readonly productId: number;
    }) => call(verb === "put" ? products.addToTicket : products.takeFromTicket, { params }),
  });
}
