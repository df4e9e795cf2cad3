import { expect, test } from "vitest";
import { learnServerTime, serverNow } from "./clock.ts";

test("a clock that is wrong is known from any answer; seconds on the way are no difference (A-05)", () => {
  const ahead = Date.now() + 600_000;
  learnServerTime(new Date(ahead).toUTCString());
  expect(Math.abs(serverNow() - ahead)).toBeLessThan(2_000);

  learnServerTime(null);
  expect(serverNow()).toBeGreaterThan(Date.now() + 590_000);

  learnServerTime(new Date(Date.now() - 900).toUTCString());
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(100);
});
