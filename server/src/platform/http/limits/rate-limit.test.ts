import { expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { resetSharedLimit, enforceSharedLimit } from "./shared-rate-limit.ts";

const rate = { max: 3, perSeconds: 60 };

test("a bucket gives so many at once, then one each twenty seconds", () => {
  const clock = createMovedClock();
  const { limit } = createRateLimiter(clock);
  [1, 2, 3].forEach(() => limit("a", rate));
  expect(() => limit("a", rate)).toThrow(
    expect.objectContaining({ code: "ERR_TOO_MANY_REQUESTS", details: { retryAfterSeconds: 20 } }),
  );
  expect(() => limit("b", rate)).not.toThrow();

  clock.advance({ seconds: 20 });
  expect(() => limit("a", rate)).not.toThrow();
  expect(() => limit("a", rate)).toThrow();
});

test("proofs of one key come one after the other, a right one is not kept waiting for ever, and only so many wait", async () => {
  const { runInTurn } = createRateLimiter(createMovedClock());
  const pace = { max: 3, pauseMs: 1 };
  let running = 0;
  let most = 0;
  const proof = (isRight: boolean) => async () => {
    most = Math.max(most, (running += 1));
    await Promise.resolve();
    running -= 1;
    return isRight;
  };
  const tries = [false, false, true, true].map((isRight) => runInTurn("ana", pace, proof(isRight)));
  expect(await Promise.allSettled(tries)).toMatchObject([
    { value: false },
    { value: false },
    { value: true },
    { reason: { code: "ERR_TOO_MANY_REQUESTS" } },
  ]);
  expect(most).toBe(1);
  expect(await runInTurn("bia", pace, proof(true))).toBe(true);
});

test("the limit of an account holds over all processes, also for tries at the same moment (A-11)", async () => {
  const clock = createMovedClock();
  const { db } = await createTestDatabase({ closeAfterTest: true });
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => enforceSharedLimit({ db, clock }, "sign-in:ana", rate)),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(3);

  clock.advance({ seconds: 21 });
  await enforceSharedLimit({ db, clock }, "sign-in:ana", rate);
  await expect(enforceSharedLimit({ db, clock }, "sign-in:ana", rate)).rejects.toMatchObject({
    details: { retryAfterSeconds: expect.any(Number) },
  });

  // tries that are refused do not hold the clock up
  for (let second = 0; second < 18; second += 1) {
    clock.advance({ seconds: 1 });
    await expect(enforceSharedLimit({ db, clock }, "sign-in:ana", rate)).rejects.toThrow("ERR_TOO_MANY_REQUESTS");
  }
  clock.advance({ seconds: 2 });
  await enforceSharedLimit({ db, clock }, "sign-in:ana", rate);

  await resetSharedLimit(db, "sign-in:ana");
  await enforceSharedLimit({ db, clock }, "sign-in:ana", rate);
});
