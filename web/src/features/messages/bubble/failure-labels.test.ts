import { expect, test } from "vitest";
import { failureLabels } from "./failure-labels.ts";

const fine = { ack: 2, failReason: null, changeFailure: null, isDeleted: false };

test.each([
  ["arrived", fine, []],
  ["not sent", { ...fine, ack: -1, failReason: "limited" }, ["fail_limited"]],
  ["not sent, for a reason without a text", { ...fine, ack: -1, failReason: "moon phase" }, ["fail_unknown"]],
  ["not sent, by a release that kept the code (463)", { ...fine, ack: -1, failReason: "463" }, ["fail_limited"]],
  ["not sent, by a release that kept the code (429)", { ...fine, ack: -1, failReason: "429" }, ["fail_tooMany"]],
  ["not sent, by a release that kept the code (479)", { ...fine, ack: -1, failReason: "479" }, ["fail_devices"]],
  ["not sent, by a release that kept the code (500)", { ...fine, ack: -1, failReason: "500" }, ["fail_serverFault"]],
  ["not sent, with a code that nobody knows", { ...fine, ack: -1, failReason: "-1" }, ["fail_refused"]],
  ["not sent, and deleted since", { ...fine, ack: -1, failReason: "limited", isDeleted: true }, []],
  [
    "edited, but not for the contact",
    { ...fine, changeFailure: { kind: "edit", reason: "refused" } },
    ["change_edit", "fail_refused"],
  ],
  [
    "deleted, but not for the contact",
    { ...fine, isDeleted: true, changeFailure: { kind: "revoke", reason: "connectionDeleted" } },
    ["change_revoke", "fail_connectionDeleted"],
  ],
] as const)("a message that is %s says what did not reach the contact (M-02, M-10)", (_name, message, labels) => {
  expect(failureLabels(message)).toEqual(labels);
});
