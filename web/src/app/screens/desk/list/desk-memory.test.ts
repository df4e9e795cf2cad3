import { expect, test } from "vitest";
import { createDeskMemory, stillChoosable, type DeskState } from "./desk-memory.ts";

const first: DeskState = {
  tab: "open",
  openTab: "open",
  waitingOrder: "waiting",
  showAll: true,
  queueIds: [],
  tags: [],
  users: [],
  text: "",
};
const seen: DeskState = {
  tab: "search",
  openTab: "pending",
  waitingOrder: "newest",
  showAll: false,
  queueIds: [3, 0],
  tags: [7],
  users: [2],
  text: "boleto",
};

function aStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage;
}

function aBrowser() {
  const local = aStorage();
  return () => {
    const session = aStorage();
    return createDeskMemory({ session: () => session, local: () => local });
  };
}

test("a reload shows all that was seen: tab, filters, order and search (Z-02)", () => {
  const tab = aBrowser()();
  tab.write(1, seen);
  expect(tab.read(1, first)).toEqual(seen);
});

test("the next visit keeps list, order and queues, and starts without the last search (Z-02)", () => {
  const open = aBrowser();
  open().write(1, seen);
  expect(open().read(1, first)).toEqual({ ...seen, tab: "open", tags: [], users: [], text: "" });
});

test("what a user saw is nobody else's, and is there again when they come back (Z-02)", () => {
  const open = aBrowser();
  const tab = open();
  tab.write(1, seen);
  tab.endSession();
  expect(tab.read(2, first)).toEqual(first);
  tab.write(2, { ...first, openTab: "pending" });
  expect(tab.read(1, first)).toMatchObject({ openTab: "pending", queueIds: [3, 0], text: "" });
  expect(tab.read(2, first)).toMatchObject({ openTab: "pending", queueIds: [] });
});

test("an accepted conversation is in the list that the next look shows, and nothing else of it changes (T-02, T-08)", () => {
  const tab = aBrowser()();
  tab.showServing(1);
  expect(tab.read(1, first)).toEqual(first);
  tab.write(1, seen);
  tab.showServing(1);
  expect(tab.read(1, first)).toEqual({ ...seen, openTab: "open" });
});

test("a kept filter drops the queues that are deleted, or the user's no more (T-06, Z-02)", () => {
  const choices = [{ id: 3 }, { id: 4 }];
  expect(stillChoosable([3, 9, 0], choices)).toEqual([3, 0]);
  expect(stillChoosable([9], choices)).toEqual([]);
  // an admin's queues are not loaded yet
  expect(stillChoosable([9], undefined)).toEqual([9]);
});

test("a filter that loses no queue stays the same one, whatever was saved of a queue: the list that it makes is not left (T-05, T-06)", () => {
  const choices = [{ id: 3 }, { id: 4 }];
  for (const chosen of [[], [3, 0], stillChoosable([3, 9], choices)]) {
    expect(stillChoosable(chosen, [...choices])).toBe(chosen);
  }
});

test.each(["", "null", "[1]", "{", '{"1":{"tab":"x","queueIds":"all","showAll":1}}'])(
  "what is stored and makes no sense is a first visit: %s",
  (text) => {
    const session = aStorage();
    session.setItem("prosa.desk", text);
    const tab = createDeskMemory({
      session: () => session,
      local: () => {
        throw new Error("blocked");
      },
    });
    expect(tab.read(1, first)).toEqual(first);
    expect(() => tab.write(1, seen)).not.toThrow();
  },
);
