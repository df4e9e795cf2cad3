import { expect, test } from "vitest";
import { isInBell, shouldNotify } from "./notifications.ts";

const me = { userId: 1, queueIds: [5, 6], allTicket: false };
const message = { fromMe: false, read: false };
const ticket = { status: "open", userId: 1, queueId: 5, isGroup: false } as const;

test.each([
  ["mine, in a queue of mine", message, ticket, false, true],
  ["nobody's, in a queue of mine", message, { ...ticket, userId: null }, false, true],
  ["mine, without a queue", message, { ...ticket, queueId: null }, false, true],
  ["on a closed ticket, which is not pending", message, { ...ticket, status: "closed" }, false, true],
  ["ours", { ...message, fromMe: true }, ticket, false, false],
  ["read already", { ...message, read: true }, ticket, false, false],
  ["on a pending ticket", message, { ...ticket, status: "pending", userId: null }, false, false],
  ["a colleague's", message, { ...ticket, userId: 2 }, false, false],
  ["in a queue that is not mine", message, { ...ticket, queueId: 7 }, false, false],
  ["mine, but in a queue that is not mine", message, { ...ticket, queueId: 7, userId: 1 }, false, false],
  ["on a pending ticket that waits for me", message, { ...ticket, status: "pending" }, false, true],
  [
    "on one that waits for me, in a queue that is not mine",
    message,
    { ...ticket, status: "pending", queueId: 7 },
    false,
    true,
  ],
  ["on one that waits for a colleague", message, { ...ticket, status: "pending", userId: 2 }, false, false],
  ["of a group", message, { ...ticket, isGroup: true }, false, false],
  ["before my eyes", message, ticket, true, false],
] as const)("a message %s (N-01)", (_, what, where, isConversationVisible, expected) => {
  expect(shouldNotify(me, what, where, isConversationVisible)).toBe(expected);
});

const unread = { ...ticket, unreadMessages: 2 };
const waiting = { ...unread, status: "pending", userId: null } as const;

test.each([
  ["my unread ticket", me, unread, true],
  ["my ticket that is read", me, { ...unread, unreadMessages: 0 }, false],
  ["a colleague's", { ...me, allTicket: true }, { ...unread, userId: 2 }, false],
  ["a waiting one without allTicket", me, waiting, false],
  ["a waiting one with allTicket", { ...me, allTicket: true }, waiting, true],
  ["a waiting one without a queue, with allTicket", { ...me, allTicket: true }, { ...waiting, queueId: null }, true],
  ["a waiting one of another queue, with allTicket", { ...me, allTicket: true }, { ...waiting, queueId: 7 }, false],
  ["one that waits for me, without allTicket", me, { ...waiting, userId: 1, queueId: 7 }, true],
  ["one that waits for a colleague, without allTicket", me, { ...waiting, userId: 2 }, false],
  ["a closed one", me, { ...unread, status: "closed" }, false],
] as const)("the bell and %s (N-02)", (_, person, where, expected) => {
  expect(isInBell(person, where)).toBe(expected);
});
