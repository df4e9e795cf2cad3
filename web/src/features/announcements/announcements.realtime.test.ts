import type { SessionUser } from "@prosa/contract/auth";
import type { Announcement } from "@prosa/contract/announcements";
import type { WirePayload } from "@prosa/contract/events";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { activeOptions, announcementsResource } from "./announcements.api.ts";
import { announcementsRealtime } from "./announcements.realtime.ts";

const one = (id: number, status = true): Announcement => ({
  id,
  title: `Aviso ${id}`,
  text: "Texto",
  priority: 3,
  status,
  mediaPath: null,
  mediaName: null,
  createdAt: "2026-11-22T12:00:00.000Z",
});

/** A browser whose bell and operator's list show these announcements. */
function aBrowser(rows: readonly Announcement[]) {
  const queryClient = new QueryClient();
  const data = { pages: [{ items: [...rows], count: rows.length, hasMore: false }], pageParams: [1] };
  const list = announcementsResource.listOptions({ searchParam: "" }).queryKey;
  queryClient.setQueryData(activeOptions.queryKey, data);
  queryClient.setQueryData(list, data);
  return {
    receives: (event: WirePayload<"announcement">) =>
      announcementsRealtime.announcement?.(event, queryClient, {} as SessionUser),
    bell: () => queryClient.getQueryData(activeOptions.queryKey)?.pages.flatMap(({ items }) => items),
    list: () => queryClient.getQueryData(list)?.pages.flatMap(({ items }) => items),
  };
}

test("events add, change and remove an announcement of the bell (S-04, O-05)", () => {
  const browser = aBrowser([one(1)]);
  browser.receives({ action: "create", record: one(2) });
  expect(browser.bell()).toEqual([one(2), one(1)]);
  browser.receives({ action: "update", record: { ...one(1), title: "Outro" } });
  expect(browser.bell()).toEqual([one(2), { ...one(1), title: "Outro" }]);
  browser.receives({ action: "delete", id: 1 });
  expect([browser.bell(), browser.list()]).toEqual([[one(2)], [one(2)]]);
});

test("a deactivated announcement leaves the bell and stays in the operator's list; activated it is back (S-04, O-05)", () => {
  const browser = aBrowser([one(2), one(1)]);
  browser.receives({ action: "update", record: one(2, false) });
  expect([browser.bell(), browser.list()]).toEqual([[one(1)], [one(2, false), one(1)]]);
  browser.receives({ action: "update", record: one(2) });
  expect([browser.bell(), browser.list()]).toEqual([
    [one(2), one(1)],
    [one(2), one(1)],
  ]);
});
