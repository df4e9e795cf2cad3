import { tickets, type Ticket } from "@prosa/contract/tickets";
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";
import type { TicketList } from "./ticket-lists.ts";
import { freshOrKnown } from "./ticket-window.ts";
import { putTicket, ticketKeys, type TicketPage, type TicketPages } from "./tickets.cache.ts";

/** One list of the desk, page by page (T-05). */
export function ticketListOptions(list: TicketList) {
  return infiniteQueryOptions({
    queryKey: ticketKeys.list(list),
    queryFn: ({ pageParam, client, queryKey, signal }): Promise<TicketPage> => {
      const known = client.getQueryData<TicketPages>(queryKey)?.pages[pageParam - 1];
      return freshOrKnown(list, pageParam, known, () =>
        call(tickets.list, {
          query: {
            pageNumber: pageParam,
            status: list.status,
            searchParam: list.searchParam,
            showAll: list.showAll ? "true" : "false",
            queueIds: JSON.stringify(list.queueIds),
            tags: JSON.stringify(list.tags),
            users: JSON.stringify(list.users),
            withUnreadMessages: list.withUnreadMessages ? "true" : "false",
          },
          signal,
        }),
      );
    },
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
  });
}

/** The live numbers on the tabs (T-02). */
export function ticketCountsOptions(showAll: boolean, queueIds: readonly number[]) {
  return queryOptions({
    queryKey: ticketKeys.countsOf(showAll, queueIds),
    queryFn: ({ signal }) =>
      call(tickets.counts, {
        query: { showAll: showAll ? "true" : "false", queueIds: JSON.stringify(queueIds) },
        signal,
      }),
  });
}

/** The ticket behind an address of the desk. What a list already knows is shown at once. */
export function ticketOptions(uuid: string) {
  return queryOptions({
    queryKey: ticketKeys.one(uuid),
    queryFn: ({ signal }) => call(tickets.byUuid, { params: { uuid }, signal }),
  });
}

/** Every time this ticket was served, newest first. */
export function episodesOptions({ id, status, protocol }: Pick<Ticket, "id" | "status" | "protocol">) {
  return queryOptions({
    // A move of the ticket begins or ends one: then they are asked again.
    queryKey: [...ticketKeys.episodes(id), status, protocol],
    queryFn: ({ signal }) => call(tickets.episodes, { params: { id }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** What people do to a ticket (specification 1, section 4). */
export type TicketVerb = "accept" | "return" | "resolve" | "reopen";

export function useTicketVerb(userId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ verb, ticket }: { readonly verb: TicketVerb; readonly ticket: Ticket }) =>
      call(tickets.update, { params: { id: ticket.id }, body: changeOf(verb, userId) }),
    // the answer is the same view that the event will carry, so the screen need not wait for the event
    onSuccess: (ticket) => putTicket(queryClient, ticket),
  });
}

function changeOf(verb: TicketVerb, userId: number) {
  switch (verb) {
    case "accept":
    case "reopen":
      return { status: "open", userId } as const;
    case "return":
      return { status: "pending", userId: null } as const;
    case "resolve":
      return { status: "closed", userId, useIntegration: false, promptId: null, integrationId: null } as const;
  }
}

export function useTransferTicket() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ ticketId, ...to }: TransferTarget & { readonly ticketId: number }) =>
      call(tickets.update, { params: { id: ticketId }, body: transferOf(to) }),
    onSuccess: (ticket) => putTicket(queryClient, ticket),
  });
}

export interface TransferTarget {
  readonly queueId: number;
  readonly userId: number | null;
  readonly whatsappId: number | null;
}

/** A queue without a user makes it wait there, with nobody (T-14). */
function transferOf({ queueId, userId, whatsappId }: TransferTarget) {
  const connection = whatsappId === null ? {} : { whatsappId };
  return userId === null
    ? { queueId, userId: null, status: "pending" as const, ...connection }
    : { queueId, userId, status: "open" as const, ...connection };
}

export function useDeleteTicket() {
  return useMutation({ mutationFn: (id: number) => call(tickets.remove, { params: { id } }) });
}

export function useCreateTicket() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: {
      readonly contactId: number;
      readonly queueId: number | null;
      readonly whatsappId: number | null;
      readonly userId: number;
    }) => call(tickets.create, { body: { ...body, status: "open" } }),
    onSuccess: (ticket) => putTicket(queryClient, ticket),
  });
}
