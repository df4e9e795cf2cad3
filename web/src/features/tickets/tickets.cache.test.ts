import type { SessionUser } from "@prosa/contract/auth";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { aTicket, aTicketList as list } from "../testing.ts";
import { belongsTo } from "./ticket-lists.ts";
import { dropDeepPages, placeTicket, ticketInLists, ticketKeys, type TicketPages } from "./tickets.cache.ts";
import { viewerOf, type Viewer } from "./tickets.policy.ts";
import { ticketsRealtime } from "./tickets.realtime.ts";

const agent: Viewer = { userId: 1, isAdmin: false, holdsShowAll: false, seesQueueless: false, queueIds: [3] };
const admin: Viewer = { userId: 9, isAdmin: true, holdsShowAll: true, seesQueueless: false, queueIds: [] };
const pages = (...tickets: ReturnType<typeof aTicket>[]): TicketPages => ({
  pages: [{ tickets, count: tickets.length, hasMore: false }],
  pageParams: [1],
});
const ids = (data: TicketPages) => data.pages.flatMap((page) => page.tickets.map(({ id }) => id));
const pending = { status: "pending" as const, userId: null, user: null };

test("a list by waiting time keeps who waits longest first, and those who do not wait last (Z-01)", () => {
  const waiting = (id: number, waitingSince: string | null, lastMessageAt = "2026-11-21T13:00:00.000Z") =>
    aTicket({ ...pending, id, waitingSince, lastMessageAt });
  const byWaiting = list({ status: "pending", order: "waiting" });
  let shown = pages(waiting(1, "2026-11-21T12:00:00.000Z"), waiting(2, null));
  for (const arrived of [
    waiting(3, "2026-11-21T11:00:00.000Z"),
    waiting(4, null, "2026-11-21T14:00:00.000Z"),
    waiting(5, "2026-11-21T12:00:00.000Z", "2026-11-21T14:00:00.000Z"),
  ]) {
    shown = placeTicket(shown, byWaiting, admin, arrived);
  }
  expect(ids(shown)).toEqual([3, 5, 1, 4, 2]);

  // Answered on the phone, and waiting again since its next word.
  shown = placeTicket(shown, byWaiting, admin, { ...waiting(3, null), version: 2 });
  expect(ids(shown)).toEqual([5, 1, 4, 3, 2]);
  expect(ids(placeTicket(shown, list({ status: "pending" }), admin, { ...waiting(3, null), version: 3 }))).toHaveLength(
    5,
  );
});

test.each([
  ["my open ticket", agent, list(), aTicket(), true],
  ["a colleague's open ticket", agent, list(), aTicket({ userId: 2 }), false],
  [
    "a colleague's open ticket with show-all that I do not hold",
    agent,
    list({ showAll: true }),
    aTicket({ userId: 2 }),
    false,
  ],
  [
    "a colleague's open ticket, seen by an admin who shows all",
    admin,
    list({ showAll: true }),
    aTicket({ userId: 2 }),
    true,
  ],
  ["a waiting ticket of my queue", agent, list({ status: "pending" }), aTicket(pending), true],
  [
    "a waiting ticket of a foreign queue",
    agent,
    list({ status: "pending" }),
    aTicket({ ...pending, queueId: 4 }),
    false,
  ],
  [
    "a waiting ticket without a queue",
    agent,
    list({ status: "pending" }),
    aTicket({ ...pending, queueId: null }),
    false,
  ],
  [
    "a waiting ticket without a queue, for somebody with allTicket",
    { ...agent, seesQueueless: true },
    list({ status: "pending" }),
    aTicket({ ...pending, queueId: null }),
    true,
  ],
  ["a closed ticket of my queue", agent, list({ status: "closed" }), aTicket({ status: "closed", userId: 2 }), true],
  [
    "a waiting ticket of a queue that the filter leaves out",
    agent,
    list({ status: "pending", queueIds: [4] }),
    aTicket(pending),
    false,
  ],
  ["my own ticket, whatever queue is ticked", agent, list({ queueIds: [4] }), aTicket(), true],
  [
    "an admin's own ticket of a queue that is not ticked, among all",
    admin,
    list({ showAll: true, queueIds: [4] }),
    aTicket({ userId: 9 }),
    false,
  ],
  [
    "a colleague's open ticket of my queue, found by its tag",
    agent,
    list({ status: "", tags: [7] }),
    aTicket({ userId: 2, tags: [{ id: 7, name: "vip", color: "#112233", kanban: 0 }] }),
    true,
  ],
])("%s is in the right lists (T-06)", (_, viewer, where, ticket, expected) => {
  expect(belongsTo(where, viewer, ticket)).toBe(expected);
});

test.each([
  ["user", "desabled", false],
  ["user", "enabled", true],
  ["supervisor", "desabled", true],
] as const)("a %s with allTicket %s sees tickets without a queue: %s (T-06)", (profile, allTicket, expected) => {
  const company = { id: 1, name: "", email: null, dueDate: null, trialExpiration: null, timeZone: "UTC" };
  const user = {
    id: 1,
    name: "Marina",
    email: "",
    super: false,
    whatsappId: null,
    companyId: 1,
    company: { ...company, settings: [], plan: null },
    queues: [],
    permissions: [],
  };
  expect(viewerOf({ ...user, profile, allTicket }).seesQueueless).toBe(expected);
});

test("a new message moves its ticket to the top (T-22)", () => {
  const before = pages(
    aTicket({ id: 1, lastMessageAt: "2026-11-21T12:00:00.000Z" }),
    aTicket({ id: 2, lastMessageAt: "2026-11-21T11:00:00.000Z" }),
  );
  const moved = aTicket({ id: 2, lastMessageAt: "2026-11-21T13:00:00.000Z", unreadMessages: 3, version: 2 });
  expect(ids(placeTicket(before, list(), agent, moved))).toEqual([2, 1]);
});

test("an accepted ticket leaves the pending list and its count (T-22)", () => {
  const waiting = aTicket({ ...pending });
  const after = placeTicket(pages(waiting), list({ status: "pending" }), agent, aTicket({ version: 2 }));
  expect(ids(after)).toEqual([]);
  expect(after.pages[0]?.count).toBe(0);
});

test("an older view never overwrites a newer one (T-22)", () => {
  const before = pages(aTicket({ version: 5, lastMessage: "nova" }));
  expect(placeTicket(before, list(), agent, aTicket({ version: 4, lastMessage: "velha" }))).toBe(before);
});

test("messages of a ticket beyond the loaded pages do not count it again, each time; entering the list does (T-22)", () => {
  const before: TicketPages = {
    pages: [{ tickets: [aTicket({ id: 1 })], count: 50, hasMore: true }],
    pageParams: [1],
  };
  const counted = (ticket: ReturnType<typeof aTicket>, was?: ReturnType<typeof aTicket>) => {
    const after = placeTicket(before, list(), agent, ticket, was);
    return [ids(after), after.pages[0]?.count];
  };
  const deep = aTicket({ id: 2, lastMessageAt: "2026-01-01T00:00:00.000Z" });
  const recent = aTicket({ id: 2, lastMessageAt: "2026-12-01T00:00:00.000Z", version: 2 });
  expect(counted(deep)).toEqual([[1], 50]);
  expect(counted(deep, deep)).toEqual([[1], 50]);
  expect(counted(recent)).toEqual([[2, 1], 50]);
  expect(counted(recent, deep)).toEqual([[2, 1], 50]);

  const waiting = aTicket({ ...pending, id: 2 });
  expect(counted(recent, waiting)).toEqual([[2, 1], 51]);
  expect(counted({ ...deep, version: 2 }, waiting)).toEqual([[1], 51]);
  expect(counted({ ...waiting, version: 2 }, deep)).toEqual([[1], 49]);
  expect(counted({ ...waiting, version: 2 })).toEqual([[1], 50]);
});

test("a list that is loaded to its end counts whatever enters it (T-22)", () => {
  const [known, arrived] = [aTicket({ id: 1 }), aTicket({ id: 2, lastMessageAt: "2026-01-01T00:00:00.000Z" })];
  const after = placeTicket(pages(known), list(), agent, arrived, arrived);
  expect([ids(after), after.pages[0]?.count]).toEqual([[1, 2], 2]);
});

test("a search result stays, refreshed in its place (T-03)", () => {
  const found = pages(aTicket({ id: 1 }), aTicket({ id: 2, lastMessageAt: "2026-11-21T11:00:00.000Z" }));
  const search = list({ status: "", searchParam: "mesa" });
  const after = placeTicket(
    found,
    search,
    agent,
    aTicket({ id: 2, lastMessageAt: "2026-11-21T11:00:00.000Z", lastMessage: "ok", version: 2 }),
  );
  expect(ids(after)).toEqual([1, 2]);
  expect(ids(placeTicket(found, search, agent, aTicket({ id: 3 })))).toEqual([1, 2]);
});

test("a list that is left keeps its first pages alone, without becoming fresher (T-05)", () => {
  const queryClient = new QueryClient();
  const deep: TicketPages = {
    pages: Array.from({ length: 50 }, (_, page) => ({ tickets: [aTicket({ id: page })], count: 50, hasMore: true })),
    pageParams: Array.from({ length: 50 }, (_, page) => page + 1),
  };
  queryClient.setQueryData(ticketKeys.list(list()), deep, { updatedAt: 5 });

  dropDeepPages(queryClient, list());

  const kept = queryClient.getQueryData<TicketPages>(ticketKeys.list(list()));
  expect([kept?.pages.length, kept?.pageParams]).toEqual([2, [1, 2]]);
  expect(queryClient.getQueryState(ticketKeys.list(list()))?.dataUpdatedAt).toBe(5);
});

test("a renamed tag is renamed on every row, a deleted tag is on none (T-20)", () => {
  const tag = { id: 5, name: "VIP", color: "#111111", kanban: 0 };
  const other = { ...tag, id: 6, name: "Garantia" };
  const queryClient = new QueryClient();
  queryClient.setQueryData(ticketKeys.list(list()), pages(aTicket({ id: 1, tags: [tag, other] }), aTicket({ id: 2 })));
  const names = () =>
    queryClient
      .getQueryData<TicketPages>(ticketKeys.list(list()))
      ?.pages.flatMap(({ tickets }) => tickets.map(({ tags }) => tags.map(({ name }) => name)));
  const user = {} as SessionUser;

  ticketsRealtime.tag?.({ action: "update", record: { ...tag, name: "Cliente VIP" } }, queryClient, user);
  expect(names()).toEqual([["Cliente VIP", "Garantia"], []]);
  ticketsRealtime.tag?.({ action: "delete", id: 5 }, queryClient, user);
  expect(names()).toEqual([["Garantia"], []]);
});

test("a conversation opens with the newest version of its ticket in the lists (T-01)", () => {
  const [before, after] = [aTicket({ id: 4, version: 1 }), aTicket({ id: 4, version: 2 })];
  const queryClient = new QueryClient();
  expect(ticketInLists(queryClient, before.uuid)).toBeUndefined();

  queryClient.setQueryData(ticketKeys.list(list()), pages(aTicket({ id: 3 }), after));
  queryClient.setQueryData(ticketKeys.list(list({ showAll: true })), pages(before));
  expect(ticketInLists(queryClient, before.uuid)).toBe(after);
});
