import { expect, test } from "vitest";
import { connectionMessages } from "./connections.i18n.ts";
import { lineLogText } from "./line-log.ts";

test.each([
  ["connected", null, { title: "log_connected", tone: "good" }],
  ["closed", "428 Connection Terminated", { title: "log_closed", tone: "warn", reason: "log_cut", code: "428" }],
  ["closed", "401 conflict", { title: "log_closed", tone: "warn", reason: "reason_loggedOut", code: "401" }],
  ["closed", "0 getaddrinfo ENOTFOUND", { title: "log_closed", tone: "warn", reason: "log_unreachable" }],
  ["closed", "515 Stream Errored", { title: "log_restarted", reason: "log_restart" }],
  ["closed", "999", { title: "log_closed", tone: "warn", code: "999" }],
  ["stopped", "banned 403", { title: "log_stopped", tone: "bad", reason: "reason_banned" }],
  ["stopped", "Error", { title: "log_stopped", tone: "bad" }],
  ["notUnlinked", null, { title: "log_notUnlinked", tone: "bad", reason: "log_unlinkByHand" }],
  ["alarm", "a message could not be taken in", { title: "log_alarm", tone: "bad", reason: "log_report" }],
  ["invented later", "whatever", { title: "log_other" }],
])("a line's “%s” (%s) is translated, never shown as in the log (W-05)", (event, detail, expected) => {
  const found = lineLogText({ event, detail });
  expect(found).toEqual(expected);
  expect(connectionMessages.pt[found.title]).not.toBe("");
});
