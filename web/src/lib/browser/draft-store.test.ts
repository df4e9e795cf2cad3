import { expect, test } from "vitest";
import { createDrafts } from "./draft-store.ts";

const day = 24 * 3_600_000;

/** A tab of a browser: tabs share the storage and are told of each other's changes. */
function aBrowser({ isForbidden = false } = {}) {
  const kept: Record<string, string> = {};
  const storage = Object.defineProperties(kept, {
    getItem: { value: (key: string) => kept[key] ?? null },
    setItem: { value: (key: string, value: string) => (kept[key] = value) },
    removeItem: { value: (key: string) => delete kept[key] },
  }) as unknown as Storage;
  const clock = { now: 0, userId: 7 };
  return {
    kept,
    clock,
    tab: () =>
      createDrafts({
        storage: () => {
          if (isForbidden) {
            throw new Error("forbidden");
          }
          return storage;
        },
        userId: () => clock.userId,
        now: () => clock.now,
      }),
  };
}

test("a text survives a reload, and the same object is given until it changes (Z-02)", () => {
  const { tab } = aBrowser();
  tab().write("ticket", 1, { text: "Oi Priscila, vou" });
  const reloaded = tab();

  expect(reloaded.read("ticket", 1)).toEqual({ text: "Oi Priscila, vou", files: 0 });
  expect(reloaded.read("ticket", 1)).toBe(reloaded.read("ticket", 1));
  expect(reloaded.read("note", 1).text).toBe("");
  expect(reloaded.read("chat", 1).text).toBe("");
});

test("files alone are a draft, and an empty one leaves nothing behind", () => {
  const { tab, kept } = aBrowser();
  const mine = tab();
  mine.write("ticket", 1, { files: 2 });
  expect(tab().read("ticket", 1)).toEqual({ text: "", files: 2 });

  mine.write("ticket", 1, { files: 0 });
  expect(Object.keys(kept)).toEqual([]);
});

test("what a reply quotes, and which message is edited, come back with it (M-09, M-10, Z-02)", () => {
  const { tab, kept } = aBrowser();
  const mine = tab();
  mine.write("ticket", 1, { text: "Sim", quotedMsgId: 41 });
  mine.write("ticket", 2, { editedMsgId: 42 });
  expect(tab().read("ticket", 1)).toEqual({ text: "Sim", files: 0, quotedMsgId: 41 });
  expect(tab().read("ticket", 2)).toEqual({ text: "", files: 0, editedMsgId: 42 });

  mine.write("ticket", 1, { text: "" });
  expect(tab().read("ticket", 1).quotedMsgId).toBe(41);
  mine.write("ticket", 1, { quotedMsgId: undefined });
  mine.write("ticket", 2, { editedMsgId: undefined });
  expect(Object.keys(kept)).toEqual([]);
});

test("what was sent in one tab is gone in the other, live (Z-02)", () => {
  const { tab, kept } = aBrowser();
  const [first, second] = [tab(), tab()];
  first.write("ticket", 1, { text: "Já vai" });
  const seen: string[] = [];
  second.subscribe("ticket", 1, () => seen.push(second.read("ticket", 1).text));
  const [key] = Object.keys(kept);
  expect(second.read("ticket", 1).text).toBe("Já vai");

  first.write("ticket", 1, { text: "" });
  second.onOtherTab(key ?? null);

  expect(seen).toEqual([""]);
});

test("another user of this browser sees nothing, and signing out forgets one's own only", () => {
  const { tab, clock } = aBrowser();
  const drafts = tab();
  drafts.write("ticket", 1, { text: "de Paula" });
  clock.userId = 8;
  expect(drafts.read("ticket", 1).text).toBe("");
  drafts.write("ticket", 1, { text: "de Danilo" });

  drafts.clear(7);

  expect(tab().read("ticket", 1).text).toBe("de Danilo");
  clock.userId = 7;
  expect(tab().read("ticket", 1).text).toBe("");
});

test("after 30 days, and with unreadable content, a draft is swept away", () => {
  const { tab, kept, clock } = aBrowser();
  tab().write("ticket", 1, { text: "velho" });
  clock.now = 2 * day;
  tab().write("ticket", 2, { text: "novo" });
  kept["prosa.draft.99"] = "of the first release";
  clock.now = 31 * day;

  tab().sweep();

  expect(Object.keys(kept)).toEqual(["prosa.draft.7.ticket.2"]);
});

test("where the browser forbids storage, the draft lives as long as the tab", () => {
  const { tab } = aBrowser({ isForbidden: true });
  const mine = tab();
  mine.write("ticket", 1, { text: "fica" });

  expect(mine.read("ticket", 1).text).toBe("fica");
  expect(() => mine.sweep()).not.toThrow();
});

test("what was typed after a text that was stored stays as the next one, and so does what is another text (T-21, Z-02)", () => {
  const drafts = aBrowser().tab();
  const left = (text: string) => {
    drafts.write("note", 1, { text });
    return [drafts.takeStored("note", 1, "só até sexta"), drafts.read("note", 1).text];
  };
  expect(left("só até sexta")).toEqual(["", ""]);
  expect(left("só até sexta e o prazo")).toEqual(["e o prazo", "e o prazo"]);
  expect(left("vem buscar")).toEqual(["vem buscar", "vem buscar"]);
});
