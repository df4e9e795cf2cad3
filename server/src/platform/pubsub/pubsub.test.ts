import { expect, test } from "vitest";
import { z } from "zod";
import type { ListenNotify } from "../db/index.ts";
import { testLog } from "#server/testing/database.ts";
import { createPubSub, inBatches } from "./pubsub.ts";

/** Two processes that receive each other's notifications at once. */
function twoProcesses() {
  const hears: ((words: string) => void)[][] = [[], []];
  const whispered: string[] = [];
  const process = (me: number) =>
    createPubSub(
      {
        broadcast: async (words) => {
          whispered.push(words);
          hears[1 - me]?.forEach((hear) => hear(words));
        },
        onBroadcast: (hear) => {
          hears[me]?.push(hear);
          return () => undefined;
        },
      } as ListenNotify,
      testLog,
    );
  return { here: process(0), there: process(1), hears, whispered };
}

const shape = z.object({ n: z.number() });

test("an ephemeral event arrives here at once and in other processes in a batch, the last of each key", async () => {
  const { here, there, whispered } = twoProcesses();
  const heard: string[] = [];
  here.subscribe("count", shape, (companyId, { n }) => heard.push(`here ${companyId} ${n}`));
  there.subscribe("count", shape, (companyId, { n }) => heard.push(`there ${companyId} ${n}`));

  here.publish(7, "count", "a", { n: 1 });
  here.publish(7, "count", "a", { n: 2 });
  here.publish(8, "count", "a", { n: 3 });
  expect(heard).toEqual(["here 7 1", "here 7 2", "here 8 3"]);

  await here.flush();
  expect(heard.slice(3)).toEqual(["there 7 2", "there 8 3"]);
  expect(whispered).toHaveLength(1);
});

test("malformed payloads and events of another schema are dropped", () => {
  const { here, hears } = twoProcesses();
  const heard: number[] = [];
  here.subscribe("count", shape, (_, { n }) => heard.push(n));

  for (const words of ["{", "[]", '[[7,"count",{"n":"x"}]]', '[[7,"count",{"n":1}]]']) {
    hears[0]?.forEach((hear) => hear(words));
  }
  expect(heard).toEqual([1]);
});

test("no batch exceeds the NOTIFY limit of PostgreSQL, and an event that alone is too large is dropped", () => {
  const events = Array.from({ length: 300 }, (_, n): [number, string, unknown] => [1, "t", "á".repeat(n)]);
  const batches = inBatches([...events, [1, "t", "x".repeat(9_000)]]);

  expect(Math.max(...batches.map((batch) => Buffer.byteLength(batch)))).toBeLessThan(7_900);
  expect(batches.flatMap((batch) => JSON.parse(batch) as unknown[])).toEqual(events);
});
