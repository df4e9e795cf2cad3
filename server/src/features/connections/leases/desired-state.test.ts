import { expect, test } from "vitest";
import type { DesiredLine } from "./leases.queries.ts";
import { reconcileAction, shouldConnect } from "./desired-state.ts";

const desired: DesiredLine = {
  id: 1,
  companyId: 1,
  provider: "simulator",
  wanted: "up",
  round: 3,
  pairingNumber: null,
  number: null,
  status: "OPENING",
  reason: null,
  isCompanyActive: true,
  isLeased: false,
  owner: null,
};
const applied = { provider: "simulator", round: 3, pairingNumber: null } as const;

test.each([
  ["a new line", {}, true],
  ["one that is wanted down", { wanted: "down" }, false],
  ["one that another process runs", { isLeased: true }, false],
  ["one of a company that is switched off", { isCompanyActive: false }, false],
  ["one whose process died while it was connected", { status: "CONNECTED" }, true],
  ["one that was cut for a network", { status: "TIMEOUT", reason: "network" }, true],
  ["one whose client was too old for WhatsApp", { status: "DISCONNECTED", reason: "versionRefused" }, true],
  ["one whose secret was lost, and may be known here", { status: "DISCONNECTED", reason: "lostSecret" }, true],
  ["one that another client took over", { status: "DISCONNECTED", reason: "replaced" }, false],
  ["one that was logged out on the phone", { status: "DISCONNECTED", reason: "loggedOut" }, false],
  ["one that is banned", { status: "DISCONNECTED", reason: "banned" }, false],
  ["one that nobody scanned", { status: "DISCONNECTED", reason: "notScanned" }, false],
  ["one with the number of another", { status: "DISCONNECTED", reason: "sameNumber" }, false],
  ["one whose pairing code was refused", { status: "DISCONNECTED", reason: "codeRefused" }, false],
] as const)("%s: should it connect?", (_case, about, expected) => {
  expect(shouldConnect({ ...desired, ...about })).toBe(expected);
});

test.each([
  ["nothing changed", {}, { status: "OPENING", forMs: 5_000 }, "keep"],
  ["its connection was deleted", undefined, undefined, "unlink"],
  ["it is wanted down", { wanted: "down" }, undefined, "unlink"],
  ["its company was switched off", { isCompanyActive: false }, { status: "CONNECTED", forMs: 100 }, "release"],
  [
    "its company was switched off, and it is wanted down",
    { isCompanyActive: false, wanted: "down" },
    undefined,
    "unlink",
  ],
  ["another round", { round: 4 }, undefined, "unlink"],
  ["another network", { provider: "beta" }, undefined, "unlink"],
  ["a pairing number was given", { pairingNumber: "55119" }, { status: "qrcode", forMs: 100 }, "reopen"],
  [
    "a pairing number was given to a connected line",
    { pairingNumber: "55119", status: "CONNECTED" },
    { status: "CONNECTED", forMs: 9_000 },
    "keep",
  ],
  ["try again, during a long pause", { status: "OPENING" }, { status: "TIMEOUT", forMs: 9_000 }, "reopen"],
  ["try again, on a connected line", { status: "OPENING" }, { status: "CONNECTED", forMs: 9_000 }, "rewrite"],
  ["the row was read before our last write", { status: "OPENING" }, { status: "qrcode", forMs: 100 }, "keep"],
  ["our state is being written", { status: "OPENING" }, undefined, "keep"],
] as const)("a running line, when %s", (_case, about, written, expected) => {
  expect(reconcileAction(applied, about && { ...desired, ...about }, written)).toBe(expected);
});
