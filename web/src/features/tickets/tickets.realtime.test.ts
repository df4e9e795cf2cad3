import type { SessionUser } from "@prosa/contract/auth";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { aTicket } from "../testing.ts";
import { ticketKeys } from "./tickets.cache.ts";
import { ticketsRealtime } from "./tickets.realtime.ts";

const apply = (queryClient: QueryClient, event: Parameters<NonNullable<typeof ticketsRealtime.ticket>>[0]) =>
  ticketsRealtime.ticket?.(event, queryClient, {} as SessionUser);

test("an open ticket that is merged into another is replaced by that one (T-22)", () => {
  const queryClient = new QueryClient();
  const gone = aTicket({ id: 7, uuid: "gone" });
  const kept = aTicket({ id: 8, uuid: "kept", version: 5 });
  queryClient.setQueryData(ticketKeys.one("gone"), gone);
  apply(queryClient, { action: "reload", mergedId: 7, ticket: kept });
  apply(queryClient, { action: "delete", ticketId: 7 });
  expect(queryClient.getQueryData(ticketKeys.one("gone"))).toEqual(kept);
  expect(queryClient.getQueryState(ticketKeys.one("gone"))?.isInvalidated).toBe(false);
});

test("tickets of a deleted line stay, without a line (W-01)", () => {
  const queryClient = new QueryClient();
  const its = aTicket({ id: 7, uuid: "its", whatsappId: 4, whatsapp: { id: 4, name: "Loja" } });
  const other = aTicket({ id: 8, uuid: "other", whatsappId: 5, whatsapp: { id: 5, name: "Fábrica" } });
  queryClient.setQueryData(ticketKeys.one("its"), its);
  queryClient.setQueryData(ticketKeys.one("other"), other);
  ticketsRealtime.whatsapp?.({ action: "delete", whatsappId: 4 }, queryClient, {} as SessionUser);
  expect(queryClient.getQueryData(ticketKeys.one("its"))).toMatchObject({ whatsappId: null, whatsapp: null });
  expect(queryClient.getQueryData(ticketKeys.one("other"))).toEqual(other);
});
