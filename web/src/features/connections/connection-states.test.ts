import { expect, test } from "vitest";
import { hasFallen, lineTrouble, type LineState } from "./connection-states.ts";

const line: LineState = {
  id: 1,
  name: "WhatsApp 1",
  status: "CONNECTED",
  number: "5511987654321",
  reason: null,
  provider: "beta",
  health: { state: "good", until: null, cause: null, quota: null },
};

test("a conversation says that its line is down, or deleted, and nothing while messages go out (A.9)", () => {
  expect(lineTrouble(1, [line])).toBeUndefined();
  expect(lineTrouble(1, [{ ...line, status: "TIMEOUT" }])).toEqual({ kind: "down", name: "WhatsApp 1" });
  expect(lineTrouble(1, [{ ...line, status: "qrcode" }])).toEqual({ kind: "down", name: "WhatsApp 1" });
  expect(lineTrouble(2, [line])).toEqual({ kind: "deleted" });
  expect(lineTrouble(null, [line])).toEqual({ kind: "deleted" });
  expect(lineTrouble(1, undefined)).toBeUndefined();
});

test("the chip names lines that fell, not those that nobody linked or somebody disconnected (A.9)", () => {
  expect(hasFallen(line)).toBe(false);
  expect(hasFallen({ ...line, status: "DISCONNECTED", reason: "loggedOut" })).toBe(true);
  expect(hasFallen({ ...line, status: "OPENING", reason: "network" })).toBe(true);
  expect(hasFallen({ ...line, status: "DISCONNECTED", reason: "stopped" })).toBe(false);
  expect(hasFallen({ ...line, status: "qrcode", number: null })).toBe(false);
});
