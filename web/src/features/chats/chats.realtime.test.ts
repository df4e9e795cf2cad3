import type { SessionUser } from "@prosa/contract/auth";
import type { Chat, ChatMessage } from "@prosa/contract/chats";
import type { WirePayload } from "@prosa/contract/events";
import type { Colleague } from "@prosa/contract/users";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import {
  chatKeys,
  keepNewestPage,
  unreadOf,
  type ChatFilter,
  type ChatMessagePages,
  type ChatPages,
} from "./chats.cache.ts";
import { chatsRealtime } from "./chats.realtime.ts";
import { fetchWithoutRace, countChatEvent } from "./fetch-race.ts";

const me = { id: 1 } as SessionUser;
const everything: ChatFilter = { searchParam: "", withUnread: false };
const unread: ChatFilter = { searchParam: "", withUnread: true };

function aChat(id: number, change: Partial<Chat> & { readonly unreads?: number } = {}): Chat {
  const { unreads = 0, ...rest } = change;
  return {
    id,
    uuid: `uuid-${id}`,
    title: `Chat ${id}`,
    ownerId: 2,
    lastMessage: "",
    updatedAt: `2026-11-22T12:0${id}:00.000Z`,
    users: [
      { userId: 1, unreads, user: { id: 1, name: "Marina" } },
      { userId: 2, unreads: 0, user: { id: 2, name: "Paulo" } },
    ],
    ...rest,
  };
}

function aMessage(id: number, chatId = 1): ChatMessage {
  return {
    id,
    chatId,
    senderId: 2,
    sender: { name: "Paulo" },
    message: `m${id}`,
    clientId: null,
    createdAt: "2026-11-22T12:09:00.000Z",
  };
}

/** A browser that has loaded these chats and messages 1 and 2 of chat 1. */
function aBrowser(chats: readonly Chat[], options: { readonly hasMore?: boolean } = {}) {
  const queryClient = new QueryClient();
  const pages = (records: readonly Chat[]): ChatPages => ({
    pages: [{ records, count: records.length, hasMore: options.hasMore ?? false }],
    pageParams: [1],
  });
  queryClient.setQueryData(chatKeys.list(everything), pages(chats));
  queryClient.setQueryData(chatKeys.list(unread), pages(chats.filter((chat) => unreadOf(chat, me.id) > 0)));
  queryClient.setQueryData(chatKeys.list({ searchParam: "turno", withUnread: false }), pages([]));
  queryClient.setQueryData<ChatMessagePages>(chatKeys.messages(1), {
    pages: [{ records: [aMessage(1), aMessage(2)], count: 2, hasMore: false }],
    pageParams: [undefined],
  });
  chats.forEach((chat) => queryClient.setQueryData(chatKeys.one(chat.uuid), chat));

  const idsOf = (filter: ChatFilter) =>
    queryClient
      .getQueryData<ChatPages>(chatKeys.list(filter))
      ?.pages.flatMap(({ records }) => records.map((c) => c.id));
  return {
    queryClient,
    receives: (event: WirePayload<"chat">) => chatsRealtime.chat?.(event, queryClient, me),
    receivesOwn: (record: Chat) => chatsRealtime["chat-user"]?.({ action: "update", record }, queryClient, me),
    ids: idsOf,
    counts: (filter: ChatFilter) =>
      queryClient.getQueryData<ChatPages>(chatKeys.list(filter))?.pages.map(({ count }) => count),
    isFetchedAgain: (filter: ChatFilter) => queryClient.getQueryState(chatKeys.list(filter))?.isInvalidated,
    one: (id: number) => queryClient.getQueryData<Chat | null>(chatKeys.one(`uuid-${id}`)),
    messages: () =>
      queryClient
        .getQueryData<ChatMessagePages>(chatKeys.messages(1))
        ?.pages.flatMap(({ records }) => records.map(({ id }) => id)),
  };
}

const written = (chat: Chat, messageId: number): WirePayload<"chat"> => ({
  action: "new-message",
  newMessage: aMessage(messageId, chat.id),
  chat,
});

test("a new message is once at the end, its chat on top, and in the bell (O-06, S-04, S-06)", () => {
  const browser = aBrowser([aChat(3), aChat(2), aChat(1)]);
  const event = written(aChat(1, { updatedAt: "2026-11-22T12:09:00.000Z", unreads: 1 }), 3);
  browser.receives(event);
  // a second time
  browser.receives(event);

  expect(browser.ids(everything)).toEqual([1, 3, 2]);
  expect(browser.ids(unread)).toEqual([1]);
  expect(browser.counts(everything)).toEqual([3]);
  expect(browser.counts(unread)).toEqual([1]);
  expect(browser.messages()).toEqual([1, 2, 3]);
});

test("a chat that was read in another window leaves the bell and stays in the list (O-06, S-06)", () => {
  const browser = aBrowser([aChat(2, { unreads: 4 }), aChat(1)]);
  browser.receivesOwn(aChat(2));
  expect(browser.ids(unread)).toEqual([]);
  expect(browser.counts(unread)).toEqual([0]);
  expect(browser.ids(everything)).toEqual([2, 1]);
});

test("a removed member loses the chat and its messages at once (O-06)", () => {
  const browser = aBrowser([aChat(2), aChat(1, { unreads: 1 })]);
  browser.receives({ action: "delete", id: 1 });
  expect(browser.ids(everything)).toEqual([2]);
  expect(browser.ids(unread)).toEqual([]);
  expect(browser.one(1)).toBeNull();
  expect(browser.messages()).toBeUndefined();

  browser.receivesOwn(aChat(1));
  expect(browser.one(1)).toMatchObject({ id: 1 });
});

test("a deleted chat does not make the next page skip one: a list with more pages is fetched again (O-06)", () => {
  const browser = aBrowser([aChat(3), aChat(2)], { hasMore: true });
  browser.receives({ action: "delete", id: 3 });
  expect([browser.ids(everything), browser.isFetchedAgain(everything)]).toEqual([[2], true]);
  const whole = aBrowser([aChat(3), aChat(2)]);
  whole.receives({ action: "delete", id: 3 });
  expect(whole.isFetchedAgain(everything)).toBe(false);
});

test("a colleague's new name, and their deletion, are shown in the chats (U-01)", () => {
  const user = { id: 2, name: "Paula" } as Colleague;
  for (const event of [{ action: "update", user } as const, { action: "delete", userId: 2 } as const]) {
    const browser = aBrowser([aChat(1)]);
    chatsRealtime.user?.(event, browser.queryClient, me);
    expect(browser.isFetchedAgain(everything)).toBe(true);
  }
});

test("a search keeps its results, and does not guess new ones (O-06)", () => {
  const browser = aBrowser([aChat(1)]);
  browser.receivesOwn(aChat(5, { title: "Turno" }));
  expect(browser.ids({ searchParam: "turno", withUnread: false })).toEqual([]);
  expect(browser.ids(everything)).toEqual([5, 1]);
});

test("a chat older than the loaded page waits for its page (O-06)", () => {
  const browser = aBrowser([aChat(3), aChat(2)], { hasMore: true });
  browser.receives({ action: "update", chat: aChat(1) });
  expect(browser.ids(everything)).toEqual([3, 2]);
  browser.receives({ action: "update", chat: aChat(2, { title: "Outro nome" }) });
  expect(browser.ids(everything)).toEqual([3, 2]);
});

test("the bell asks for the next unread chats once those that it has are read, and for their number when it cannot know it (S-04, S-06)", () => {
  const unreadChats = [aChat(3, { unreads: 1 }), aChat(2, { unreads: 1 })];
  const browser = aBrowser(unreadChats, { hasMore: true });
  browser.receivesOwn(aChat(3));
  expect([browser.ids(unread), browser.isFetchedAgain(unread)]).toEqual([[2], false]);
  browser.receivesOwn(aChat(2));
  expect([browser.ids(unread), browser.isFetchedAgain(unread)]).toEqual([[], true]);

  // one of a later page is read, or written in again, and was counted already
  for (const event of [aChat(1), aChat(1, { unreads: 2 })]) {
    const other = aBrowser(unreadChats, { hasMore: true });
    other.receivesOwn(event);
    expect([other.isFetchedAgain(unread), other.isFetchedAgain(everything)]).toEqual([true, false]);
  }
  const whole = aBrowser(unreadChats);
  whole.receivesOwn(aChat(1, { unreads: 2 }));
  expect([whole.counts(unread), whole.isFetchedAgain(unread)]).toEqual([[3], false]);
});

test("a response that an event overtook is fetched again (N-05)", async () => {
  let asked = 0;
  const response = await fetchWithoutRace(async () => {
    asked += 1;
    if (asked === 1) {
      countChatEvent();
    }
    return asked;
  });
  expect(response).toBe(2);
});

test("chats and messages that a gap made old are still old after an event, so they are fetched when they are shown (N-05, O-06)", async () => {
  const browser = aBrowser([aChat(2), aChat(1)]);
  await browser.queryClient.invalidateQueries();
  browser.receives(written(aChat(1, { unreads: 1 }), 3));
  keepNewestPage(browser.queryClient, 1);
  const states = browser.queryClient.getQueryCache().getAll();
  expect(states.map(({ state }) => state.isInvalidated)).toEqual(states.map(() => true));
  expect(browser.messages()).toEqual([1, 2, 3]);
});
