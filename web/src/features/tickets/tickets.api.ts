import { tickets, type Ticket } from "@prosa/contract/tickets";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { whenReleased } from "#web/lib/browser/press.ts";
import { call } from "#web/lib/session/session.ts";
import { putTicket, ticketKeys } from "./tickets.cache.ts";
import type { TicketVerb } from "./tickets.policy.ts";

/** The ticket counts on the tabs (T-02). */
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

/** The ticket of a desk URL. */
export function ticketOptions(uuid: string) {
  return queryOptions({
    queryKey: ticketKeys.one(uuid),
    queryFn: ({ signal }) => call(tickets.byUuid, { params: { uuid }, signal }),
  });
}

/** The episodes of a ticket (each time it was served), newest first. */
export function episodesOptions({ id, status, protocol }: Pick<Ticket, "id" | "status" | "protocol">) {
  return queryOptions({
    // A change of status begins or ends an episode: fetch them again.
    queryKey: [...ticketKeys.episodes(id), status, protocol],
    queryFn: ({ signal }) => call(tickets.episodes, { params: { id }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useTicketVerb(userId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ verb, ticket }: { readonly verb: TicketVerb; readonly ticket: Ticket }) => {
      const changed = await call(tickets.update, { params: { id: ticket.id }, body: changeOf(verb, userId) });
      // What follows takes the row away, or the whole list: not from under the press of the next one.
      await whenReleased();
      return changed;
    },
    // the response is the same view that the event carries: no need to wait for the event
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
    mutationFn: ({ ticketId, ...to }: Transfer & { readonly ticketId: number }) =>
      call(tickets.update, { params: { id: ticketId }, body: transferOf(to) }),
    onSuccess: (ticket) => putTicket(queryClient, ticket),
  });
}

/** The people to whom a ticket may be transferred; fetched whenever somebody chooses, because presence and numbers change. */
export const transferTargetsOptions = queryOptions({
  queryKey: ["tickets", "transferTargets"],
  queryFn: ({ signal }) => call(tickets.transferTargets, { signal }),
  staleTime: 0,
});

interface Transfer {
  /** Null: the queue stays. */
  readonly queueId: number | null;
  readonly userId: number | null;
  readonly whatsappId: number | null;
  readonly note?: string;
}

/**
 * Without a user the ticket becomes pending in the queue (T-14). To a user it goes without a status: `open` with the own id is
 * what accepting sends, and is refused where a colleague has the ticket.
 */
export function transferOf({ queueId, userId, whatsappId, note }: Transfer) {
  return {
    userId,
    ...(userId === null && { status: "pending" as const }),
    ...(queueId !== null && { queueId }),
    ...(whatsappId !== null && { whatsappId }),
    ...(note !== undefined && note.trim() !== "" && { note }),
  };
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
