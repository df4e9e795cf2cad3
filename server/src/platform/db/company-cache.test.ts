import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Cached, Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { createCompanyCache } from "./company-cache.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Counts how often it is read. */
function counted(): Cached<number> & { reads: number } {
  const what = { name: "things", staleAfter: ["thing.changed"], reads: 0, load: async () => (what.reads += 1) };
  return what;
}
const changed = { type: "thing.changed", payload: {} };
const read = (what: Cached<number>, companyId = 1) => database.inCompany(companyId, (ctx) => ctx.cached(what));

test("a value is loaded once, and again after an event that invalidates it", async () => {
  const what = counted();
  expect([await read(what), await read(what), await read(what, 2)]).toEqual([1, 1, 2]);
  await database.inCompany(1, async (ctx) => ctx.emit({ type: "other.changed", payload: {} }));
  expect(await read(what)).toBe(1);
  await database.inCompany(1, async (ctx) => ctx.emit(changed));
  expect([await read(what), await read(what, 2)]).toEqual([3, 2]);
});

test("an event that leaves a value as it is does not make it load again", async () => {
  const what = { ...counted(), name: "some things", isUnchangedBy: ({ payload }: DomainEvent) => payload["of"] === 1 };
  const change = (of: number) => database.inCompany(1, async (ctx) => ctx.emit({ ...changed, payload: { of } }));
  const first = await read(what);
  await change(1);
  expect(await read(what)).toBe(first);
  await change(2);
  expect(await read(what)).toBe(first + 1);
});

test("a transaction sees its own change, and others do not when it fails", async () => {
  const what = { ...counted(), name: "own things" };
  let value = "saved";
  const own: Cached<string> = { ...what, load: async () => value };
  const readOwn = (ctx: Ctx) => ctx.cached(own);
  expect(await database.inCompany(1, readOwn)).toBe("saved");

  const failing = database.inCompany(1, async (ctx) => {
    value = "not saved yet";
    ctx.emit(changed);
    expect(await readOwn(ctx)).toBe("not saved yet");
    value = "saved";
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await database.inCompany(1, readOwn)).toBe("saved");
});

test("what is over is let go even where nobody asks for it again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  try {
    const cache = createCompanyCache();
    const kept: Cached<object> = { name: "large", staleAfter: [], load: async () => ({}) };
    const large = new WeakRef(await cache.get(1, kept, async () => ({})));
    const isLetGo = async () => {
      await setImmediate();
      collectGarbage();
      return large.deref() === undefined;
    };
    await cache.get(2, kept, async () => ({}));
    expect(await isLetGo()).toBe(false);
    vi.advanceTimersByTime(61_000);
    await cache.get(2, kept, async () => ({}));
    expect(await isLetGo()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("what was read while it changed is not kept", async () => {
  const cache = createCompanyCache();
  const what: Cached<string> = { name: "thing", staleAfter: ["thing.changed"], load: async () => "" };
  const slow = Promise.withResolvers<string>();
  const early = cache.get(1, what, () => slow.promise);
  cache.invalidate(1, changed);
  slow.resolve("old");
  expect(await early).toBe("old");
  expect(await cache.get(1, what, async () => "new")).toBe("new");
});
