import { expect, test } from "vitest";
import { z } from "zod";
import type { Wakeups } from "../db/index.ts";
import { testLog } from "#server/testing/database.ts";
import { createRelay, inBatches } from "./relay.ts";

/** Two processes that hear each other at once. */
function twoProcesses() {
  const hears: ((words: string) => void)[][] = [[], []];
  const whispered: string[] = [];
  const process = (me: number) =>
    createRelay(
      {
        whisper: async (words) => {
          whispered.push(words);
          hears[1 - me]?.forEach((hear) => hear(words));
        },
        onWhisper: (hear) => {
          hears[me]?.push(hear);
          return () => undefined;
        },
      } as Wakeups,
      testLog,
    );
  return { here: process(0), there: process(1), hears, whispered };
}

const shape = z.object({ n: z.number() });

test("a fact is heard here at once and there together with others, the last of each key", async () => {
  const { here, there, whispered } = twoProcesses();
  const heard: string[] = [];
  here.on("count", shape, (companyId, { n }) => heard.push(`here ${companyId} ${n}`));
  there.on("count", shape, (companyId, { n }) => heard.push(`there ${companyId} ${n}`));

  here.tell(7, "count", "a", { n: 1 });
  here.tell(7, "count", "a", { n: 2 });
  here.tell(8, "count", "a", { n: 3 });
  expect(heard).toEqual(["here 7 1", "here 7 2", "here 8 3"]);

  await here.sent();
  expect(heard.slice(3)).toEqual(["there 7 2", "there 8 3"]);
  expect(whispered).toHaveLength(1);
});

test("nonsense and facts of another shape are left out", () => {
  const { here, hears } = twoProcesses();
  const heard: number[] = [];
  here.on("count", shape, (_, { n }) => heard.push(n));

  for (const words of ["{", "[]", '[[7,"count",{"n":"x"}]]', '[[7,"count",{"n":1}]]']) {
    hears[0]?.forEach((hear) => hear(words));
  }
  expect(heard).toEqual([1]);
});

test("no batch is larger than PostgreSQL takes, and a fact that alone is too large is left out", () => {
  const facts = Array.from({ length: 300 }, (_, n): [number, string, unknown] => [1, "t", "á".repeat(n)]);
  const batches = inBatches([...facts, [1, "t", "x".repeat(9_000)]]);

  expect(Math.max(...batches.map((batch) => Buffer.byteLength(batch)))).toBeLessThan(7_900);
  expect(batches.flatMap((batch) => JSON.parse(batch) as unknown[])).toEqual(facts);
});
