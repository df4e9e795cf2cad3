import type { SessionUser } from "@prosa/contract/auth";
import type { Colleague } from "@prosa/contract/users";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aTicket, aTicketList } from "../testing.ts";
import { startSession } from "#web/lib/session/session.ts";
import { putTicket, ticketKeys, type TicketPages } from "./tickets.cache.ts";
import { ticketsRealtime } from "./tickets.realtime.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  // the counts are fetched a moment later, in the next test otherwise
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

const apply = (queryClient: QueryClient, event: Parameters<NonNullable<typeof ticketsRealtime.ticket>>[0]) =>
  ticketsRealtime.ticket?.(event, queryClient, {} as SessionUser);

test("an open ticket that is merged into another is replaced by that one (T-22)", () => {
  const queryClient = new QueryClient();
  const gone = aTicket({ id: 7, uuid: "gone" });
  const kept = aTicket({ id: 8, uuid: "kept", version: 5 });
  queryClient.setQueryData(ticketKeys.one("gone"), gone);
  apply(queryClient, { action: "reload", mergedId: 7, ticket: kept });
  apply(queryClient, { action: "delete", ticketId: 7 });
  vi.runAllTimers();
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

test("tickets of a deleted queue or user stay, without it, and the lists are fetched again (N-06)", () => {
  const queryClient = new QueryClient();
  const list = ticketKeys.list(aTicketList({ status: "pending" }));
  const counts = ticketKeys.countsOf(false, [3, 4]);
  const its = aTicket({ id: 7, uuid: "its", status: "pending", userId: 2, user: { id: 2, name: "Bia" } });
  const other = aTicket({ id: 8, uuid: "other", queueId: 4 });
  queryClient.setQueryData<TicketPages>(list, {
    pages: [{ tickets: [its], count: 1, hasMore: false }],
    pageParams: [1],
  });
  queryClient.setQueryData(counts, {});
  queryClient.setQueryData(ticketKeys.one("other"), other);
  const row = () => queryClient.getQueryData<TicketPages>(list)?.pages[0]?.tickets[0];

  ticketsRealtime.queue?.({ action: "delete", queueId: 3 }, queryClient, {} as SessionUser);
  expect(row()).toMatchObject({ queueId: null, queue: null });
  expect(queryClient.getQueryData(ticketKeys.one("other"))).toEqual(other);
  expect(queryClient.getQueryState(list)?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState(counts)?.isInvalidated).toBe(true);

  ticketsRealtime.user?.({ action: "delete", userId: 2 }, queryClient, {} as SessionUser);
  expect(row()).toMatchObject({ userId: null, user: null });
});

test("an agent's new name is shown in the rows of their tickets (U-01)", () => {
  const queryClient = new QueryClient();
  const its = aTicket({ id: 7, uuid: "its", userId: 2, user: { id: 2, name: "Bia" } });
  queryClient.setQueryData(ticketKeys.one("its"), its);
  const user = { id: 2, name: "Beatriz" } as Colleague;
  ticketsRealtime.user?.({ action: "update", user }, queryClient, {} as SessionUser);
  expect(queryClient.getQueryData(ticketKeys.one("its"))).toMatchObject({ user: { id: 2, name: "Beatriz" } });
});

test("a deletion that an update follows leaves the row where it is; one that is alone removes it (T-22)", () => {
  const queryClient = new QueryClient();
  const ticket = aTicket({ id: 7, uuid: "moves", version: 1 });
  const list = ticketKeys.list(aTicketList({ status: "", searchParam: "ana" }));
  queryClient.setQueryData<TicketPages>(list, {
    pages: [{ tickets: [ticket], count: 1, hasMore: false }],
    pageParams: [1],
  });
  const sizes: (number | undefined)[] = [];
  queryClient.getQueryCache().subscribe(() => {
    sizes.push(queryClient.getQueryData<TicketPages>(list)?.pages[0]?.tickets.length);
  });

  apply(queryClient, { action: "delete", ticketId: 7 });
  apply(queryClient, { action: "update", ticket: { ...ticket, version: 2 } });
  vi.advanceTimersByTime(1_000);
  expect(new Set(sizes)).not.toContain(0);

  apply(queryClient, { action: "delete", ticketId: 7 });
  vi.advanceTimersByTime(1_000);
  expect(sizes.at(-1)).toBe(0);
});

/** The list of my open tickets, which is empty. */
function myOpenTickets() {
  const queryClient = new QueryClient();
  const user = {
    id: 1,
    companyId: 1,
    profile: "user",
    queues: [{ id: 3 }],
    permissions: [],
    company: { dueDate: null },
  };
  startSession({ token: "t", user: user as unknown as SessionUser });
  const list = ticketKeys.list(aTicketList());
  queryClient.setQueryData<TicketPages>(list, { pages: [{ tickets: [], count: 0, hasMore: false }], pageParams: [1] });
  const shown = () => queryClient.getQueryData<TicketPages>(list)?.pages[0]?.tickets.length;
  return { queryClient, list, shown };
}

test("an update that comes late after its deletion brings the row back, with the version that the response had (T-22)", () => {
  const { queryClient, list, shown } = myOpenTickets();
  const accepted = aTicket({ id: 7, uuid: "mine", status: "open", userId: 1, version: 2 });
  putTicket(queryClient, accepted);
  apply(queryClient, { action: "delete", ticketId: 7 });
  vi.advanceTimersByTime(1_000);
  expect(shown()).toBe(0);
  apply(queryClient, { action: "update", ticket: accepted });
  expect(queryClient.getQueryData<TicketPages>(list)?.pages[0]?.tickets).toEqual([accepted]);
});

test("a response that comes after the deletion does not bring the row back, a newer version does (T-22)", () => {
  const { queryClient, shown } = myOpenTickets();
  const accepted = aTicket({ id: 7, uuid: "mine", status: "open", userId: 1, version: 2 });

  apply(queryClient, { action: "update", ticket: accepted });
  expect(shown()).toBe(1);
  apply(queryClient, { action: "delete", ticketId: 7 });
  vi.advanceTimersByTime(1_000);
  putTicket(queryClient, accepted);
  expect(shown()).toBe(0);
  putTicket(queryClient, { ...accepted, version: 3 });
  expect(shown()).toBe(1);
});

test("an event from before the acceptance, late behind its response, does not bring the row back to who waits (T-08)", () => {
  const { queryClient, shown } = myOpenTickets();
  const pendingList = ticketKeys.list(aTicketList({ status: "pending" }));
  const waiting = aTicket({ id: 7, uuid: "mine", status: "pending", userId: null, user: null, version: 1 });
  const pages: TicketPages = { pages: [{ tickets: [waiting], count: 1, hasMore: false }], pageParams: [1] };
  queryClient.setQueryData(pendingList, pages);

  putTicket(queryClient, aTicket({ id: 7, uuid: "mine", version: 3 }));
  apply(queryClient, { action: "update", ticket: { ...waiting, version: 2 } });
  expect(queryClient.getQueryData<TicketPages>(pendingList)?.pages[0]).toMatchObject({ tickets: [], count: 0 });
  expect(shown()).toBe(1);
});

test("the counts come while events do, however slow the server answers (T-02)", async () => {
  const { queryClient } = myOpenTickets();
  let asked = 0;
  const queryFn = async () => {
    asked += 1;
    const answer = asked;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return answer;
  };
  const counts = new QueryObserver(queryClient, { queryKey: ticketKeys.counts, queryFn });
  const shown = new Set<number | undefined>();
  const leave = counts.subscribe(({ data }) => shown.add(data));
  await vi.advanceTimersByTimeAsync(1_500);
  for (let version = 2; version < 32; version += 1) {
    putTicket(queryClient, aTicket({ id: 7, version }));
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(shown.size).toBeGreaterThan(4);

  // what happened after the question is asked for again
  await vi.advanceTimersByTimeAsync(10_000);
  const before = asked;
  putTicket(queryClient, aTicket({ id: 7, version: 40 }));
  await vi.advanceTimersByTimeAsync(500);
  putTicket(queryClient, aTicket({ id: 7, version: 41 }));
  await vi.advanceTimersByTimeAsync(10_000);
  expect([...shown].at(-1)).toBe(before + 2);
  leave();
});
