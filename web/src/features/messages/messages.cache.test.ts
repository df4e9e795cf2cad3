import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { aMessage, aTicket } from "../testing.ts";
import { keepNewestPage, messageKeys, type MessagePages } from "./messages.cache.ts";

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
