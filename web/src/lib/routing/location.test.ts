import { expect, test } from "vitest";
import { pathWithQuery } from "./location.ts";

test.each([
  ["/schedules", {}, "/schedules"],
  ["/schedules", new URLSearchParams(), "/schedules"],
  ["/contacts", { tag: "a b" }, "/contacts?tag=a+b"],
])("%s with the query %o is %s (O-03)", (path, parameters, address) => {
  expect(pathWithQuery(path, parameters)).toBe(address);
});
