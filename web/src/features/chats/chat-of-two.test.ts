import type { Chat } from "@prosa/contract/chats";
import { QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { chatOfTwoOptions } from "./chats.api.ts";

const aChat = (id: number, ...userIds: readonly number[]) =>
  ({ id, users: userIds.map((userId) => ({ userId })) }) as Partial<Chat>;

test("the chat with a colleague is found on whichever page it is, and one of three is another (O-06)", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("document", { documentElement: { lang: "pt-BR" } });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  const pages = [[aChat(9, 1, 2, 3)], [aChat(8, 1, 4)], [aChat(7, 1, 3)]];
  vi.stubGlobal("fetch", (url: string) => {
    const pageNumber = Number(new URL(url, "http://prosa.example").searchParams.get("pageNumber"));
    return Promise.resolve(Response.json({ records: pages[pageNumber - 1], count: 3, hasMore: pageNumber < 3 }));
  });
  const queryClient = new QueryClient();
  expect(await queryClient.fetchQuery(chatOfTwoOptions(1, 3))).toMatchObject({ id: 7 });
  expect(await queryClient.fetchQuery(chatOfTwoOptions(1, 5))).toBeNull();
});
