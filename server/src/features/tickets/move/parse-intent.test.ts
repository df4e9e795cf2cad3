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
  ["taking it over", { userId: me }, "transfer"],
  ["taking it over with a note", { status: "open", userId: me, note: "Sigo eu" }, "transfer"],
  ["its own queue with a note", { queueId: 3, userId: null, status: "pending", note: "Volta às 14h" }, "transfer"],
  ["accepting what is taken by now", { status: "open", userId: me }, "accept"],
  ["a note for nobody", { note: "Volta às 14h" }, "nothing"],
])("%s is a %s", (_name, body, verb) => {
  expect(parseIntent(body, open, me).verb).toBe(verb);
});

test("a waiting ticket is transferred to oneself, with or without a note (T-14)", () => {
  const waiting = { ...open, status: "pending", userId: null } as const;
  const transfer = { verb: "transfer", target: { userId: me } };
  expect(parseIntent({ userId: me }, waiting, me)).toEqual(transfer);
  expect(parseIntent({ userId: me, note: "Fica comigo" }, waiting, me)).toEqual(transfer);
  expect(parseIntent({ status: "open", userId: me, note: "Fica comigo" }, waiting, me)).toEqual(transfer);
});

test("a ticket that waits for somebody is transferred to them, by them or by another (T-14)", () => {
  const waiting = { ...open, status: "pending" } as const;
  const transfer = { verb: "transfer", target: { userId: ana } };
  expect(parseIntent({ userId: ana }, waiting, me)).toEqual(transfer);
  expect(parseIntent({ status: "open", userId: ana }, waiting, me)).toEqual(transfer);
  expect(parseIntent({ userId: ana }, waiting, ana)).toEqual(transfer);
  expect(parseIntent({ status: "open", userId: ana }, waiting, ana)).toEqual({ verb: "accept" });
  expect(parseIntent({ status: "pending", userId: ana }, waiting, me)).toEqual({ verb: "nothing" });
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
