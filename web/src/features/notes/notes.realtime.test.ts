import type { SessionUser } from "@prosa/contract/auth";
import type { WirePayload } from "@prosa/contract/events";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { aNote } from "../testing.ts";
import { noteKeys } from "./notes.cache.ts";
import { notesRealtime } from "./notes.realtime.ts";

function after(before: readonly number[] | undefined, ...events: readonly WirePayload<"ticketNote">[]) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(
    noteKeys.of(1),
    before?.map((id) => aNote({ id })),
  );
  events.forEach((event) => notesRealtime.ticketNote?.(event, queryClient, {} as SessionUser));
  return queryClient.getQueryData<{ id: number }[]>(noteKeys.of(1))?.map(({ id }) => id);
}

test("a colleague's note is first in the list, and once after a repeated event (T-21)", () => {
  const created = { action: "create", ticketId: 1, note: aNote({ id: 9 }) } as const;
  expect(after([4, 2], created, created)).toEqual([9, 4, 2]);
});

test("a note whose event is late gets its place in time (T-21)", () => {
  expect(after([4, 2], { action: "create", ticketId: 1, note: aNote({ id: 3 }) })).toEqual([4, 3, 2]);
});

test("a deleted note is removed (T-21)", () => {
  expect(after([4, 2], { action: "delete", ticketId: 1, noteId: 4 })).toEqual([2]);
});

test("an event does not create a list that was never fetched (T-21)", () => {
  expect(after(undefined, { action: "create", ticketId: 1, note: aNote() })).toBeUndefined();
});
