import { expect, test } from "vitest";
import { ApiError } from "#web/lib/api/apiError.ts";
import { isRefusal } from "./is-refusal.ts";

test.each([
  [new ApiError("ERR_NOT_FOUND", 404), true],
  [new ApiError("ERR_VALIDATION", 400), true],
  [new ApiError("ERR_TOO_MANY_REQUESTS", 429), false],
  [new ApiError("ERR_UNAVAILABLE", 503), false],
  [new ApiError("network", 0), false],
  [new Error("unknown"), false],
])("an invitation that answers %o is a dead end: %s (Z-05)", (error, expected) => {
  expect(isRefusal(error)).toBe(expected);
});
