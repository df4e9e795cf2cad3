import type { SessionUser } from "@prosa/contract/auth";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { aTicket } from "../testing.ts";
import { ticketKeys } from "./tickets.cache.ts";
import { ticketsRealtime } from "./tickets.realtime.ts";

const apply = (queryClient: QueryClient, event: Parameters<NonNullable<typeof ticketsRealtime.ticket>>[0]) =>
  ticketsRealtime.ticket?.(event, queryClient, {} as SessionUser);

test("who looks at a conversation that went into another reads on there (T-22)", () => {
  const queryClient = new QueryClient();
  const gone = aTicket({ id: 7, uuid: "gone" });
  const kept = aTicket({ id: 8, uuid: "kept", version: 5 });
  queryClient.setQueryData(ticketKeys.one("gone"), gone);
  apply(queryClient, { action: "reload", mergedId: 7, ticket: kept });
  apply(queryClient, { action: "delete", ticketId: 7 });
  expect(queryClient.getQueryData(ticketKeys.one("gone"))).toEqual(kept);
  expect(queryClient.getQueryState(ticketKeys.one("gone"))?.isInvalidated).toBe(false);
});
