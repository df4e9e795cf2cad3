import type { SessionUser } from "@prosa/contract/auth";
import { pageSize } from "@prosa/contract/common";
import type { Contact } from "@prosa/contract/contacts";
import type { WirePayload } from "@prosa/contract/events";
import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { rowsOf } from "#web/lib/records/resource.ts";
import { contactListRealtime, contactsResource } from "./contact-list.api.ts";
import { contactLookupOptions } from "./contacts.api.ts";
import { contactsRealtime } from "./contacts.realtime.ts";

const contact = (id: number, name = `Pessoa ${String(id).padStart(4, "0")}`): Contact => ({
  ...{ id, name, number: `55859${String(id).padStart(8, "0")}`, email: "", isGroup: false, isBlocked: false },
  ...{
    urlPicture: null,
    profilePicUrl: null,
    extraInfo: [],
    createdAt: "2026-11-22T12:00:00.000Z",
    updatedAt: "2026-11-22T12:00:00.000Z",
  },
});

/** The list of a screen whose server sorts so many contacts by name. */
async function aScreen(count: number) {
  const onServer = Array.from({ length: count }, (_, index) => contact(index + 1));
  const asked: number[] = [];
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const observer = new InfiniteQueryObserver(queryClient, {
    ...contactsResource.listOptions({ searchParam: "" }),
    queryFn: async ({ pageParam }) => {
      asked.push(pageParam);
      const items = onServer.slice((pageParam - 1) * pageSize.contacts, pageParam * pageSize.contacts);
      return { items, count: onServer.length, hasMore: pageParam * pageSize.contacts < onServer.length };
    },
  });
  onTestFinished(observer.subscribe(() => undefined));
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
  return {
    onServer,
    asked,
    observer,
    queryClient,
    receives: (event: WirePayload<"contact">) => contactListRealtime.contact?.(event, queryClient, {} as SessionUser),
    shown: () => {
      const pages = observer.getCurrentResult().data?.pages ?? [];
      return { rows: rowsOf(pages), count: pages.at(-1)?.count };
    },
    settles: () => vi.waitFor(() => expect(queryClient.isFetching()).toBe(0)),
  };
}

test("a change of a contact on a page that is not loaded adds no row and does not count (C-01)", async () => {
  const { shown, receives, onServer, asked } = await aScreen(5_000);

  receives({ action: "update", contact: contact(5_000, "Zilda") });
  receives({ action: "update", contact: contact(5_000, "Zilda") });

  expect(shown()).toEqual({ rows: onServer.slice(0, 30), count: 5_000 });
  expect(asked).toEqual([1]);
});

test("a new contact stands where the server sorts it, once, and counts (C-01)", async () => {
  const { shown, receives, onServer, observer, settles } = await aScreen(60);

  onServer.splice(10, 0, contact(900, "Pessoa 0010 a"));
  receives({ action: "create", contact: contact(900, "Pessoa 0010 a") });
  await settles();
  await observer.fetchNextPage();

  expect(shown()).toEqual({ rows: onServer.slice(0, 60), count: 61 });
});

test("a page that repeats a row shows it once, with its newest values (C-01)", async () => {
  const { shown, onServer, observer } = await aScreen(60);

  onServer.splice(0, 0, contact(900, "Abel"));
  onServer[30] = contact(30, "Pessoa 0030 nova");
  await observer.fetchNextPage();

  expect(shown().rows.map(({ id }) => id)).toEqual(Array.from({ length: 59 }, (_, index) => index + 1));
  expect(shown().rows[29]?.name).toBe("Pessoa 0030 nova");
});

test("the page after deletions skips nobody (C-01)", async () => {
  const { shown, receives, onServer, observer } = await aScreen(200);
  const remove = (ids: readonly number[]) => {
    onServer.splice(0, onServer.length, ...onServer.filter(({ id }) => !ids.includes(id)));
    ids.forEach((contactId) => receives({ action: "delete", contactId }));
  };

  remove([4]);
  await observer.fetchNextPage();
  expect(shown()).toEqual({ rows: onServer.slice(0, 30), count: 199 });
  await observer.fetchNextPage();
  expect(shown()).toEqual({ rows: onServer.slice(0, 60), count: 199 });

  // more than a page
  remove(onServer.slice(0, 40).map(({ id }) => id));
  while (observer.getCurrentResult().hasNextPage) {
    await observer.fetchNextPage();
  }
  expect(shown()).toEqual({ rows: onServer, count: 159 });
});

test("the deletion of a contact that is not loaded counts once, and one's own costs no further fetch (C-01)", async () => {
  const { shown, receives, onServer, asked, settles } = await aScreen(100);

  onServer.pop();
  receives({ action: "delete", contactId: 100 });
  await settles();
  expect([shown().count, asked]).toEqual([99, [1, 1]]);

  // the row's own button, then the event
  onServer.shift();
  receives({ action: "delete", contactId: 1 });
  receives({ action: "delete", contactId: 1 });
  await settles();
  expect([shown().count, asked]).toEqual([98, [1, 1]]);
});

test("a list that is not open waits for its fetch, whatever changes after a new contact (C-01)", async () => {
  const { receives, queryClient } = await aScreen(40);
  const key = contactsResource.listOptions({ searchParam: "pessoa" }).queryKey;
  queryClient.setQueryData(key, { pages: [{ items: [contact(1)], count: 1, hasMore: false }], pageParams: [1] });

  receives({ action: "create", contact: contact(41) });
  receives({ action: "update", contact: contact(1, "Pessoa Um") });

  expect(queryClient.getQueryData(key)?.pages[0]?.items[0]?.name).toBe("Pessoa Um");
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});

test("a list whose loaded rows were all deleted goes on with those behind them (C-01)", async () => {
  const { shown, receives, onServer, settles } = await aScreen(40);

  onServer.splice(0, 30).forEach(({ id }) => receives({ action: "delete", contactId: id }));
  await settles();

  expect(shown()).toEqual({ rows: onServer, count: 10 });
});

test.each([
  { action: "create", contact: contact(41) },
  { action: "update", contact: contact(1, "Pessoa Um") },
  { action: "delete", contactId: 1 },
] as const)("what pickers have found is asked for again after %o (C-01, T-15)", (event) => {
  const queryClient = new QueryClient();
  const key = contactLookupOptions("pessoa").queryKey;
  queryClient.setQueryData(key, [contact(1)]);
  contactsRealtime.contact?.(event, queryClient, {} as SessionUser);
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});
