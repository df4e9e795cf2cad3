import type { SessionUser } from "@prosa/contract/auth";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { aTicket } from "../testing.ts";
import { lastAuthor, lastMessageText } from "./last-message.ts";
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

test("conversations of a line that was deleted stay, and name no line any more (W-01)", () => {
  const queryClient = new QueryClient();
  const its = aTicket({ id: 7, uuid: "its", whatsappId: 4, whatsapp: { id: 4, name: "Loja" } });
  const other = aTicket({ id: 8, uuid: "other", whatsappId: 5, whatsapp: { id: 5, name: "Fábrica" } });
  queryClient.setQueryData(ticketKeys.one("its"), its);
  queryClient.setQueryData(ticketKeys.one("other"), other);
  ticketsRealtime.whatsapp?.({ action: "delete", whatsappId: 4 }, queryClient, {} as SessionUser);
  expect(queryClient.getQueryData(ticketKeys.one("its"))).toMatchObject({ whatsappId: null, whatsapp: null });
  expect(queryClient.getQueryData(ticketKeys.one("other"))).toEqual(other);
});

test("the list does not repeat what was deleted (T-22)", () => {
  const words = ((key: string) => key) as Parameters<typeof lastMessageText>[1];
  expect(lastMessageText({ lastMessage: "", lastMessageType: "deleted" }, words)).toBe("🚫 bubble_deleted");
});

test("the list names a voice message, not its file, and keeps the marks inside words (T-04)", () => {
  const words = ((key: string) => key) as Parameters<typeof lastMessageText>[1];
  expect(lastMessageText({ lastMessage: "voz-20261121234640.mp3", lastMessageType: "audio" }, words)).toBe(
    "🎤 bubble_audio",
  );
  expect(lastMessageText({ lastMessage: "*Ana*:\na_b@c.d", lastMessageType: "conversation" }, words)).toBe(
    "Ana: a_b@c.d",
  );
});

test.each([
  [{ lastMessageFromMe: false, user: { id: 1, name: "Ana" }, chatbot: false }, undefined],
  [{ lastMessageFromMe: true, user: { id: 1, name: "Ana" }, chatbot: false }, "you"],
  [{ lastMessageFromMe: true, user: { id: 2, name: "Rui" }, chatbot: false }, "team"],
  [{ lastMessageFromMe: true, user: null, chatbot: true }, "bot"],
  [{ lastMessageFromMe: true, user: null, chatbot: false }, "team"],
] as const)("the list calls only one's own words one's own: %j is of %s (T-04)", (ticket, author) => {
  expect(lastAuthor(ticket, 1)).toBe(author);
});
