import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { aMessage, aTicket } from "../testing.ts";
import { keepNewestPage, loadedUpTo, messageKeys, placeMessage, type MessagePages } from "./messages.cache.ts";

const page = (...ids: number[]) => ({
  messages: ids.map((id) => aMessage({ id })),
  episodes: [],
  ticket: aTicket(),
  count: 4,
  hasMore: true,
  unread: 0,
});

test("a conversation that is left keeps its newest page, so that coming back fetches one page (M-01)", () => {
  const queryClient = new QueryClient();
  const read: MessagePages = { pages: [page(3, 4), page(1, 2)], pageParams: [undefined, 3] };
  queryClient.setQueryData(messageKeys.of(1), read);
  queryClient.setQueryData(messageKeys.of(2), read);

  keepNewestPage(queryClient, 1);

  expect(queryClient.getQueryData(messageKeys.of(1))).toEqual({ pages: [page(3, 4)], pageParams: [undefined] });
  expect(queryClient.getQueryData(messageKeys.of(2))).toBe(read);
});

test("what is edited or deleted changes in the bubbles that quote it, its own page loaded or not (M-09, M-10, M-15)", () => {
  const { id, clientId, body, mediaType, fromMe, isAutomatic, user, isDeleted, contact, participant } = aMessage();
  const quotedMsg = { id, clientId, body, mediaType, fromMe, isAutomatic, user, isDeleted, contact, participant };
  const quoting = aMessage({ id: 4, quotedMsgId: 1, quotedMsg });
  const other = aMessage({ id: 3, quotedMsgId: 2, quotedMsg: { ...quotedMsg, id: 2 } });
  const newest = { ...page(), messages: [other, quoting] };
  const quoteIn = (pages: MessagePages) => pages.pages[0]?.messages[1]?.quotedMsg;
  const read: MessagePages = { pages: [newest, page(1, 2)], pageParams: [undefined, 3] };

  const edited = placeMessage(read, aMessage({ body: "São 95", isEdited: true, version: 2 }));
  expect(quoteIn(edited)).toEqual({ ...quotedMsg, body: "São 95" });
  expect(edited.pages[1]?.messages[0]?.body).toBe("São 95");
  expect(edited.pages[0]?.messages[0]).toBe(other);
  // an older version changes neither
  expect(placeMessage(edited, aMessage())).toBe(edited);

  const deleted = placeMessage(
    { pages: [newest], pageParams: [undefined] },
    aMessage({ isDeleted: true, createdAt: "2026-11-20T12:00:00.000Z", version: 2 }),
  );
  expect(quoteIn(deleted)?.isDeleted).toBe(true);
  // a tick draws no bubble that quotes anew
  expect(placeMessage(read, aMessage({ ack: 3, version: 2 })).pages[0]?.messages[1]).toBe(quoting);
});

const count = (from: number, length: number) => Array.from({ length }, (_, index) => from + index);

test("what a jump has loaded is fetched again as far back as it was, and no further (M-09)", () => {
  const jumped: MessagePages = {
    pages: [page(...count(181, 20)), page(...count(21, 160)), page(...count(1, 20))],
    pageParams: [undefined, 181, 21],
  };
  // the server adds 20 beyond this one: down to 21, as before
  expect(loadedUpTo(jumped, 181)).toBe(41);
  expect(loadedUpTo(jumped, 21)).toBeUndefined();
  // the newest page begins later since three messages came, or after all that were known
  expect(loadedUpTo(jumped, 184)).toBe(41);
  expect(loadedUpTo(jumped, 900)).toBe(41);
});

test("pages of the usual size, and the next older page, are fetched as usual (M-01)", () => {
  const read: MessagePages = { pages: [page(...count(21, 20)), page(...count(1, 20))], pageParams: [undefined, 21] };
  expect([loadedUpTo(read, 21), loadedUpTo(read, 1), loadedUpTo(undefined, 21)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
