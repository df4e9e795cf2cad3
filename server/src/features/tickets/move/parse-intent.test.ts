import { expect, test } from "vitest";
import type { BodyOf, tickets } from "@prosa/contract";
import { parseIntent } from "./parse-intent.ts";

const me = 1;
const ana = 2;
const open = {
  id: 7,
  status: "open",
  userId: ana,
  queueId: 3,
  connectionId: 4,
  chatbot: false,
  useIntegration: false,
  integrationId: null,
  promptId: null,
  awaitedUserId: null,
} as const;

test.each<[string, BodyOf<typeof tickets.update>, string]>([
  ["closing", { status: "closed" }, "resolve"],
  ["closing with its owner's name", { status: "closed", userId: ana }, "resolve"],
  ["closing with another name", { status: "closed", userId: 9 }, "resolve"],
  ["closing with another queue and connection", { status: "closed", userId: 9, queueId: 8, whatsappId: 5 }, "resolve"],
  ["another owner", { userId: 9 }, "transfer"],
  ["another owner, still open", { status: "open", userId: 9 }, "transfer"],
  ["another queue", { queueId: 8, userId: null, status: "pending" }, "transfer"],
  ["giving it back", { status: "pending", userId: null }, "return"],
])("%s is a %s", (_name, body, verb) => {
  expect(parseIntent(body, open, me).verb).toBe(verb);
});

test("another connection leaves an open ticket with its owner, and no ticket with the user it waits for (T-14)", () => {
  const waiting = { ...open, status: "pending" } as const;
  expect(parseIntent({ whatsappId: 5 }, open, me)).toMatchObject({ verb: "transfer", target: { userId: ana } });
  expect(parseIntent({ whatsappId: 5 }, waiting, me)).toEqual({ verb: "transfer", target: { connectionId: 5 } });
});

test("a pending ticket is not closed by a body that also names a user (specification 1, section 4)", () => {
  const pending = { ...open, status: "pending", userId: null } as const;
  expect(() => parseIntent({ status: "closed", userId: 9 }, pending, me)).toThrow("ERR_TICKET_TRANSITION");
});
