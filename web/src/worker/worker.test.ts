import { expect, test } from "vitest";
import { notificationOf } from "./pushNotification.ts";
import {
  isCacheable,
  isServerAway,
  cacheKeyOf,
  evictable,
  cacheStrategyOf,
  type RequestFacts,
} from "./cacheStrategy.ts";

const origin = "https://app.example.com";
const asked = (path: string, mode = "cors", method = "GET"): RequestFacts => ({
  method,
  mode,
  url: `${origin}${path}`,
});

test.each([
  ["a hashed file", asked("/assets/main-Ab12.js"), "kept"],
  ["a screen that a person opens", asked("/tickets/1d0c", "navigate"), "page"],
  ["the same address as a call of the API", asked("/tickets?status=open"), "network"],
  ["another call", asked("/messages/7"), "network"],
  ["a call that changes something", asked("/assets/x", "cors", "POST"), "network"],
  ["a file of a conversation", asked("/media/7/photo.jpg", "no-cors"), "network"],
  ["a document that a person opens", asked("/media/7/a.pdf", "navigate"), "network"],
  ["the page of the API", asked("/docs", "navigate"), "network"],
  ["the name of the newest build", asked("/build.txt"), "network"],
  ["the icon", asked("/icon-192.png", "no-cors"), "page"],
  ["what runs before the app", asked("/first-paint.js", "no-cors"), "page"],
  ["a picture of another host", { ...asked("/"), url: "https://pps.whatsapp.net/x.jpg" }, "network"],
] as const)("%s is answered by the way called %s", (_, request, way) => {
  expect(cacheStrategyOf(request, origin)).toBe(way);
});

test("every screen is kept as one page", () => {
  expect(cacheKeyOf(asked("/tickets/1d0c?x=1", "navigate"))).toBe("/");
  expect(cacheKeyOf(asked("/assets/main-Ab12.js"))).toBe("/assets/main-Ab12.js");
});

test.each([
  [asked("/tickets", "navigate"), 200, "text/html; charset=utf-8", true],
  [asked("/tickets", "navigate"), 503, "text/html", false],
  [asked("/tickets", "navigate"), 200, "application/json", false],
  [asked("/assets/a.js"), 200, "text/javascript", true],
  [asked("/assets/a.js"), 200, "text/html", false],
  [asked("/assets/a.js"), 404, "text/javascript", false],
])("%o with %i and %s", (request, status, type, expected) => {
  expect(isCacheable(request, status, type)).toBe(expected);
});

test.each([
  [asked("/tickets", "navigate"), 502, true],
  [asked("/tickets", "navigate"), 503, true],
  [asked("/tickets", "navigate"), 504, true],
  [asked("/tickets", "navigate"), 500, false],
  [asked("/tickets", "navigate"), 404, false],
  [asked("/icon-192.png", "no-cors"), 502, false],
])("behind a proxy %o with %i is answered with the kept page: %s", (request, status, expected) => {
  expect(isServerAway(request, status)).toBe(expected);
});

test("the oldest go when there are too many", () => {
  expect(evictable(["a", "b", "c"], 2)).toEqual(["a"]);
  expect(evictable(["a"], 2)).toEqual([]);
});

test.each([
  [
    { kind: "message", title: "Ana", body: "oi", mediaType: "chat", path: "/tickets/1d0c" },
    "en-US",
    { title: "Ana", body: "oi", path: "/tickets/1d0c" },
  ],
  [
    { kind: "message", title: "Ana", body: "", mediaType: "image", path: "/tickets/1d0c" },
    "es",
    { title: "Ana", body: "Foto", path: "/tickets/1d0c" },
  ],
  [
    { kind: "test", title: "Prosa", body: "", mediaType: "chat", path: "/tickets" },
    "fr",
    { title: "Prosa", body: "As notificações funcionam neste aparelho.", path: "/tickets" },
  ],
  [{ path: "//evil.example" }, "en", { title: "Prosa", body: "New message", path: "/tickets" }],
  ["nonsense", "en", { title: "Prosa", body: "New message", path: "/tickets" }],
])("the push %o on a device in %s", (packet, language, expected) => {
  expect(notificationOf(packet, language)).toEqual(expected);
});
