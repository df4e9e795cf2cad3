import type { SessionUser } from "@prosa/contract/auth";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { dispatch, registerRealtime } from "#web/lib/realtime/realtime.ts";
import { startSession } from "#web/lib/session/session.ts";
import { ticketsRealtime, type TicketPages } from "#web/features/tickets/index.ts";
import { aTicket } from "../testing.ts";
import { countMove, kanbanKeys, putCard, type LaneCounts } from "./kanban.cache.ts";
import { kanbanRealtime } from "./kanban.realtime.ts";
import { cardListOf } from "./lanes.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  // the counts are fetched a moment later, in the next test otherwise
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

/** The open lane with one card, in a page that hears the events of tickets as the app does. */
function aBoard() {
  const queryClient = new QueryClient();
  const user = {
    id: 1,
    companyId: 1,
    profile: "user",
    queues: [{ id: 3 }],
    permissions: [],
    company: { dueDate: null },
  } as unknown as SessionUser;
  startSession({ token: "t", user });
  const card = aTicket({ id: 7, version: 1 });
  const lane = kanbanKeys.cards(cardListOf({ searchParam: "", queueIds: [], showAll: true }, 0));
  queryClient.setQueryData<TicketPages>(lane, {
    pages: [{ tickets: [card], count: 1, hasMore: false }],
    pageParams: [1],
  });
  // the shell's first, and the board's when its screen opens
  registerRealtime(ticketsRealtime);
  registerRealtime(kanbanRealtime);
  return {
    card,
    hears: (event: unknown) => dispatch("company-1-ticket", event, queryClient, user),
    arrives: (ticket: typeof card) => putCard(queryClient, ticket),
    queryClient,
    lane,
    shown: () => queryClient.getQueryData<TicketPages>(lane)?.pages[0]?.tickets.map(({ version }) => version),
  };
}

test("a card's answer that comes after its conversation was closed does not put it back on the board (O-02)", () => {
  const { card, hears, arrives, shown } = aBoard();
  hears({ action: "update", ticket: { ...card, status: "closed", version: 3 } });
  expect(shown()).toEqual([]);
  arrives({ ...card, version: 2 });
  expect(shown()).toEqual([]);
  hears({ action: "update", ticket: { ...card, version: 4 } });
  expect(shown()).toEqual([4]);
});

test("nor does one that comes after its conversation was deleted, but an event that shows it again does (O-02)", () => {
  const { card, hears, arrives, shown } = aBoard();
  hears({ action: "delete", ticketId: 7 });
  vi.advanceTimersByTime(1_000);
  expect(shown()).toEqual([]);
  arrives(card);
  expect(shown()).toEqual([]);
  hears({ action: "update", ticket: card });
  expect(shown()).toEqual([1]);
});

test("a lane that a gap made old is still old after an event and an own move, so it is fetched when it is shown (N-05, O-02)", async () => {
  const { queryClient, lane, card, hears, arrives } = aBoard();
  const isOld = () => queryClient.getQueryState(lane)?.isInvalidated;
  await queryClient.invalidateQueries();
  hears({ action: "update", ticket: { ...card, version: 2 } });
  arrives({ ...card, version: 3 });
  hears({ action: "updateUnread", ticketId: 7 });
  hears({ action: "delete", ticketId: 7 });
  vi.advanceTimersByTime(1_000);
  expect(isOld()).toBe(true);
});

test("after a move the server is asked for the counts, which an event may have brought before the move was counted (O-02)", () => {
  const { queryClient } = aBoard();
  queryClient.setQueryData<LaneCounts>(kanbanKeys.counts, {
    lanes: [
      { laneId: 0, count: 1 },
      { laneId: 5, count: 1 },
    ],
  });
  countMove(queryClient, 0, 5);
  expect(queryClient.getQueryData<LaneCounts>(kanbanKeys.counts)?.lanes.map(({ count }) => count)).toEqual([0, 2]);
  vi.advanceTimersByTime(1_000);
  expect(queryClient.getQueryState(kanbanKeys.counts)?.isInvalidated).toBe(true);
});

test("on a slow network the counts come while conversations keep moving, one request after the other (O-02)", async () => {
  const { queryClient, hears } = aBoard();
  let asked = 0;
  let answered = 0;
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => {
    asked += 1;
    return new Promise<LaneCounts>((resolve) => {
      setTimeout(() => {
        answered += Number(!signal.aborted);
        resolve({ lanes: [{ laneId: 0, count: asked }] });
      }, 1_000);
    });
  };
  const observer = new QueryObserver(queryClient, { queryKey: kanbanKeys.counts, queryFn, staleTime: Infinity });
  onTestFinished(observer.subscribe(() => undefined));
  await vi.advanceTimersByTimeAsync(1_000);

  for (let ticketId = 100; ticketId < 120; ticketId += 1) {
    hears({ action: "delete", ticketId });
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(answered).toBeGreaterThan(3);
  await vi.runAllTimersAsync();
  // the first, and those in turn: the last one knows all that has moved
  expect(answered).toBe(asked);
  expect(observer.getCurrentResult().data?.lanes).toEqual([{ laneId: 0, count: asked }]);
});
