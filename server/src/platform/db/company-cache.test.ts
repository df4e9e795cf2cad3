import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Cached, Ctx } from "#server/platform/ctx.ts";
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

const without = (value: ReadonlyMap<string, number | undefined>, ids: readonly string[]) =>
  ids.length === 0 ? value : new Map([...value, ...ids.map((id) => [id, undefined] as const)]);

test("what an event leaves of a value is kept, and the rest is loaded when it is asked for", async () => {
  const asked: (readonly string[])[] = [];
  const what: Cached<ReadonlyMap<string, number | undefined>> = {
    name: "some things",
    staleAfter: ["thing.changed"],
    keptAfter: (value, { payload: { things } }) =>
      things === undefined ? undefined : without(value, things as string[]),
    async load(
      _ctx,
      kept = new Map([
        ["a", undefined],
        ["b", undefined],
      ]),
    ) {
      const missing = [...kept].filter(([, value]) => value === undefined).map(([id]) => id);
      asked.push(missing);
      return new Map([...kept, ...missing.map((id) => [id, asked.length] as const)]);
    },
  };
  const readAll = async () => Object.fromEntries(await database.inCompany(1, (ctx) => ctx.cached(what)));
  const change = (things?: string[]) =>
    database.inCompany(1, async (ctx) => ctx.emit({ ...changed, payload: { things } }));
  expect(await readAll()).toEqual({ a: 1, b: 1 });
  await change([]);
  expect(await readAll()).toEqual({ a: 1, b: 1 });
  await change(["b"]);
  await change([]);
  expect([await readAll(), await readAll()]).toEqual([
    { a: 1, b: 2 },
    { a: 1, b: 2 },
  ]);
  await change(["a"]);
  await change(["b"]);
  expect(await readAll()).toEqual({ a: 3, b: 3 });
  await change();
  expect(await readAll()).toEqual({ a: 4, b: 4 });
  expect(asked).toEqual([["a", "b"], ["b"], ["a", "b"], ["a", "b"]]);
});

test("a transaction sees its own change, and others do not when it fails", async () => {
  const { staleAfter } = counted();
  let value = "saved";
  const own: Cached<string> = { name: "own things", staleAfter, load: async () => value };
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
