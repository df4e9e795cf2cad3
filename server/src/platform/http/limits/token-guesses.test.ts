import { apiKeyRules } from "@prosa/contract";
import { expect, test } from "vitest";
import type { LiveApiKey } from "#server/platform/auth/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";

const key = (text: string) => `${apiKeyRules.prefix}${text}`;

/** A server with the keys `neighbour` and `guessed`, and what was looked up. */
async function aServer() {
  const clock = createMovedClock();
  const lookups: string[] = [];
  const keys = new Map(
    ["neighbour", "guessed"].map((name): [string, LiveApiKey] => [
      key(name),
      { ...exampleSession({ userId: 1, companyId: 1, sessionId: name }), scopes: ["tickets:read"] },
    ]),
  );
  const loadApiKey = () => async (text: string) => {
    lookups.push(text);
    return keys.get(text);
  };
  const features = [{ ...exampleFeature(new Map()), loadApiKey }];
  const app = await createTestApp({ features, clock, closeAfterTest: true });
  const call = async (text: string) =>
    (await app.as(undefined).get("/tickets", { authorization: `Bearer ${key(text)}` })).status;
  return { clock, lookups, keys, call };
}

test("guesses of tokens beyond the limit of an address are not looked up, not even the right one; known ones go on (V-06)", async () => {
  const { clock, lookups, keys, call } = await aServer();
  expect(await call("neighbour")).toBe(200);
  for (let guess = 0; guess < 120; guess += 1) {
    expect(await call(`wrong ${guess}`)).toBe(401);
  }
  const before = lookups.length;
  expect([await call("wrong 121"), await call("guessed")]).toEqual([429, 429]);
  expect(lookups).toHaveLength(before);
  expect(await call("neighbour")).toBe(200);

  // One that is revoked is as unknown as any.
  keys.delete(key("neighbour"));
  expect([await call("neighbour"), await call("neighbour")]).toEqual([401, 429]);

  clock.advance({ seconds: 60 });
  expect(await call("guessed")).toBe(200);
});

test("guesses at the same moment count each, and right tokens cost nothing (V-06)", async () => {
  const { lookups, call } = await aServer();
  const right = await Promise.all(Array.from({ length: 200 }, () => call("guessed")));
  expect(right).toEqual(Array(200).fill(200));
  lookups.length = 0;
  const wrong = await Promise.all(Array.from({ length: 200 }, (_, guess) => call(`wrong ${guess}`)));
  expect(wrong.filter((status) => status === 401)).toHaveLength(120);
  expect(lookups).toHaveLength(120);
});
