import { expect, test } from "vitest";
import { AppError } from "../../ctx.ts";
import { createOutcomes } from "./await-outcomes.ts";

const error = new AppError("ERR_TOO_MANY_REQUESTS");

/** A bucket of so many tokens, and attempts on it. */
function aBucket(max: number, maxWaiting = 100) {
  const outcomes = createOutcomes();
  let tokens = max;
  let tries = 0;
  async function attempt(isRight: boolean): Promise<"refused" | "right" | "wrong"> {
    const held = await outcomes.hold(["bucket"], maxWaiting, async () => {
      tries += 1;
      await Promise.resolve();
      if (tokens === 0) {
        return { key: "bucket", error };
      }
      tokens -= 1;
      return undefined;
    });
    if ("refusal" in held) {
      return "refused";
    }
    await Promise.resolve();
    tokens += isRight ? 1 : 0;
    held.release();
    return isRight ? "right" : "wrong";
  }
  return { all: (of: readonly boolean[]) => Promise.all(of.map(attempt)), tries: () => tries };
}

test("attempts that find the bucket empty wait for those under way (A-11)", async () => {
  const { all, tries } = aBucket(2);
  expect(await all(Array(50).fill(true))).toEqual(Array(50).fill("right"));
  expect(tries()).toBeLessThan(200);
  expect(await all([true])).toEqual(["right"]);
});

test("wrong ones use it up: the others are refused as soon as nobody is under way (A-11)", async () => {
  const { all } = aBucket(3);
  const ends = await all(Array.from({ length: 40 }, (_, n) => n % 4 === 0));
  expect(ends.filter((end) => end === "wrong")).toHaveLength(3);
  expect(await all([true, false])).toEqual(["refused", "refused"]);
});

test("only so many wait (A-11)", async () => {
  const { all } = aBucket(1, 5);
  const ends = await all(Array(20).fill(true));
  expect(ends.filter((end) => end === "right").length).toBeGreaterThanOrEqual(6);
  expect(ends.filter((end) => end === "refused").length).toBeGreaterThan(0);
});

test("an attempt whose limits cannot be read leaves nobody waiting (A-11)", async () => {
  const outcomes = createOutcomes();
  const first = await outcomes.hold(["bucket"], 9, async () => undefined);
  let isLost = false;
  const second = outcomes.hold(["bucket"], 9, async () => {
    if (isLost) {
      throw new Error("the database is away");
    }
    return { key: "bucket", error };
  });
  const third = outcomes.hold(["bucket"], 9, async () => ({ key: "bucket", error }));
  await new Promise((resolve) => setImmediate(resolve));
  isLost = true;
  if ("release" in first) {
    first.release();
  }
  await expect(second).rejects.toThrow("away");
  expect(await third).toEqual({ refusal: error });
});
