import { expect, test } from "vitest";
import { isDeadSession, decideReconnect } from "./reconnect-policy.ts";

const linked = { attempts: 0, badSessions: 0, isLinked: true, versionsLeft: 0 };
const stopped = (reason: string, forget = false) => ({ do: "stop", reason, forget });
const again = (afterMs: number) => ({ do: "reconnect", afterMs, reason: "network" });

// The table of whatsapp.md section 10.
test.each([
  ["restart required", 515, "", linked, again(0)],
  ["closed", 428, "", linked, again(1_000)],
  ["timed out", 408, "Connection was lost", linked, again(1_000)],
  ["unavailable", 503, "", linked, again(1_000)],
  ["a bad certificate", 400, "", linked, again(1_000)],
  ["something unknown", 0, "getaddrinfo ENOTFOUND", linked, again(1_000)],
  ["closed for the fourth time", 428, "", { ...linked, attempts: 3 }, again(8_000)],
  ["closed for the hundredth time", 428, "", { ...linked, attempts: 99 }, again(300_000)],
  ["replaced by another client", 440, "", linked, stopped("replaced")],
  ["logged out by the phone", 401, "", linked, stopped("loggedOut", true)],
  ["the phone left multi-device", 411, "", linked, stopped("loggedOut", true)],
  ["logged out, without a cause", 406, "", linked, stopped("loggedOut", true)],
  ["banned for a time", 402, "", linked, stopped("banned")],
  ["forbidden", 403, "", linked, stopped("banned")],
  [
    "version refused, another one known",
    405,
    "",
    { ...linked, versionsLeft: 1 },
    { do: "reconnect", afterMs: 0, reason: "versionRefused", nextVersion: true },
  ],
  ["version refused, no other known", 405, "", linked, stopped("versionRefused")],
  ["bad session once", 500, "", linked, again(1_000)],
  [
    "bad session for the third time in a row",
    500,
    "",
    { ...linked, attempts: 2, badSessions: 2 },
    stopped("badSession"),
  ],
  ["bad session once, after the network was away twice", 500, "", { ...linked, attempts: 2 }, again(4_000)],
  ["QR refs used up", 408, "QR refs attempts ended", { ...linked, isLinked: false }, stopped("notScanned")],
  ["network lost while the QR is shown", 408, "Connection was lost", { ...linked, isLinked: false }, again(1_000)],
])("%s", (_name, code, message, context, decision) => {
  expect(decideReconnect({ code, message }, context, 0)).toEqual(decision);
});

test("pauses are shortened by up to half, so that lines do not come back together", () => {
  expect(decideReconnect({ code: 428, message: "" }, { ...linked, attempts: 4 }, 1)).toEqual(again(8_000));
  expect(decideReconnect({ code: 428, message: "" }, { ...linked, attempts: 4 }, 0.5)).toEqual(again(12_000));
});

const minute = 60_000;
test.each([
  [
    "quiet for an hour, others receive",
    { now: 60 * minute, lastReceivedAt: 0, receivedCount: 50, activeOthers: 3 },
    true,
  ],
  ["quiet for ten minutes", { now: 10 * minute, lastReceivedAt: 0, receivedCount: 50, activeOthers: 3 }, false],
  ["everybody is quiet", { now: 60 * minute, lastReceivedAt: 0, receivedCount: 50, activeOthers: 0 }, false],
  ["nobody ever wrote to it", { now: 60 * minute, lastReceivedAt: 0, receivedCount: 0, activeOthers: 3 }, false],
])("dead session? %s", (_name, activity, expected) => {
  expect(isDeadSession(activity)).toBe(expected);
});
