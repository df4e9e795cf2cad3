import { rulesFor } from "@prosa/contract/permissions";
import type { SessionUser } from "@prosa/contract/auth";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { handshake, advanceCursor, resumeStream, randomDelay, startPosition } from "./cursor.ts";
import { dispatch, registerRealtime, suffixOf } from "./realtime.ts";
import { tokenActionFor, readToken, RENEW_BEFORE_MS } from "#web/lib/session/token.ts";

test("the first time live fetches again: something may have happened since the first answers were read", () => {
  const { position, mustFetch } = resumeStream(startPosition(undefined), { cursor: "e1~10", epoch: "e1" });

  expect(mustFetch).toBe(true);
  expect(handshake(position)).toEqual({ cursor: "e1~10" });
});

test("a tab that starts where its session was read fetches nothing again, and is sent what happened since (N-05)", () => {
  const start = startPosition("e1~9");

  expect(handshake(start)).toEqual({ cursor: "e1~9" });
  expect(resumeStream(start, { cursor: "e1~10", epoch: "e1" }).mustFetch).toBe(false);
});

test("the cursor moves with each packet and is what a reconnect sends", () => {
  const { position } = resumeStream(startPosition(undefined), { cursor: "e1~10", epoch: "e1" });

  expect(handshake(advanceCursor(advanceCursor(position, { cursor: "e1~11" }), { cursor: "e1~12" }))).toEqual({
    cursor: "e1~12",
  });
});

test("a packet without a cursor leaves the position as it was", () => {
  const { position } = resumeStream(startPosition(undefined), { cursor: "e1~10", epoch: "e1" });

  expect(advanceCursor(position, undefined)).toBe(position);
  expect(advanceCursor(position, { cursor: {} })).toBe(position);
});

test("a return with a cursor is the server's to replay; one without has to fetch (N-05)", () => {
  const { position } = resumeStream(startPosition(undefined), { cursor: "e1~10", epoch: "e1" });
  const blind = { ...position, cursor: undefined };

  expect(resumeStream(position, { cursor: "e2~1", epoch: "e2" })).toEqual({
    position: { cursor: "e2~1", epoch: "e2", wasLive: true },
    mustFetch: false,
  });
  expect(resumeStream(blind, { cursor: "e1~12", epoch: "e1" }).mustFetch).toBe(true);
});

test("browsers spread a fetch over the time that the server gave", () => {
  expect([0, 0.5, 1].map((random) => randomDelay(3_000, random))).toEqual([0, 1_500, 3_000]);
  expect(randomDelay(-5, 1)).toBe(0);
});

test("a token is renewed before it dies, and the page reloads when it is dead (N-05)", () => {
  const dies = 10_000_000;

  expect(tokenActionFor(dies, dies)).toEqual({ now: "reload" });
  expect(tokenActionFor(dies, dies - 180)).toEqual({ now: "renew" });
  expect(tokenActionFor(dies, dies - RENEW_BEFORE_MS)).toEqual({ now: "renew" });
  expect(tokenActionFor(dies, dies - RENEW_BEFORE_MS - 1_000)).toEqual({ inMs: 1_000 });
});

test("a token's claims are read, and nonsense is not a token", () => {
  const claims = base64Url(JSON.stringify({ exp: 100, iat: 40, sessionId: "ação?>" }));

  expect(readToken(`x.${claims}.y`)).toEqual({ expiresAt: 100_000, sessionId: "ação?>" });
  expect(readToken("nonsense")).toBeUndefined();
  expect(readToken("")).toBeUndefined();
});

test.each([
  ["company-7-ticket", "ticket"],
  ["company-7-chat-12", "chat"],
  ["company-70-ticket", undefined],
  ["company-70-announcement", undefined],
  ["company-announcement", "announcement"],
])("%s is about %s for company 7", (name, suffix) => {
  expect(suffixOf(name, 7)).toBe(suffix);
});

test("a packet reaches every feature that asked for it, until it asks no more", () => {
  const heardBy: string[] = [];
  const queryClient = new QueryClient();
  const me = { id: 1, companyId: 7, permissions: [...rulesFor("user")] } as SessionUser;
  const stop = registerRealtime({ ticket: (event) => heardBy.push(`tickets ${event.action}`) });
  const stopOther = registerRealtime({ ticket: () => heardBy.push("messages") });

  expect(dispatch("company-7-ticket", { action: "delete", ticketId: 1 }, queryClient, me)).toBe(true);
  stop();
  stopOther();

  expect(heardBy).toEqual(["tickets delete", "messages"]);
  expect(dispatch("company-7-ticket", {}, queryClient, me)).toBe(false);
});

test("what is to be fetched again still is after an event has changed it (N-05)", async () => {
  const queryClient = new QueryClient();
  const me = { id: 1, companyId: 7, permissions: [...rulesFor("user")] } as SessionUser;
  const stop = registerRealtime({ ticket: () => void queryClient.setQueryData(["names"], ["Ana", "Bia"]) });
  queryClient.setQueryData(["names"], ["Ana"]);
  await queryClient.invalidateQueries();

  dispatch("company-7-ticket", { action: "delete", ticketId: 1 }, queryClient, me);
  stop();

  expect(queryClient.getQueryData(["names"])).toEqual(["Ana", "Bia"]);
  expect(queryClient.getQueryState(["names"])?.isInvalidated).toBe(true);
});

function base64Url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
