import { expect, test } from "vitest";
import { isAtOrBelow, matchPath } from "./match-path.ts";

test.each([
  ["/", "/", {}],
  ["/", "/tickets", undefined],
  ["/tickets/:uuid?", "/tickets", { uuid: undefined }],
  ["/tickets/:uuid?", "/tickets/", { uuid: undefined }],
  ["/tickets/:uuid?", "/Tickets/Ab-1", { uuid: "Ab-1" }],
  ["/tickets/:uuid?", "/tickets/a/b", undefined],
  ["/tickets/:uuid?", "/ticketsX", undefined],
  ["/chats/:id", "/chats", undefined],
  ["/chats/:id", "/chats/a%20b", { id: "a b" }],
  ["/chats/:id", "/chats/100%", { id: "100%" }],
  ["*", "/anything/at/all", {}],
])("%s fits %s as %o", (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params);
});

test("a link is current at its place and below it, not beside it", () => {
  expect(isAtOrBelow("/tickets", "/tickets")).toBe(true);
  expect(isAtOrBelow("/tickets", "/tickets/1")).toBe(true);
  expect(isAtOrBelow("/tickets", "/ticketsX")).toBe(false);
  expect(isAtOrBelow("/tickets/1", "/tickets")).toBe(false);
});
