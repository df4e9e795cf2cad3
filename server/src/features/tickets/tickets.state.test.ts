import { ticketStatuses } from "@prosa/contract";
import { describe, expect, test } from "vitest";
import { parseIntent } from "./move/parse-intent.ts";
import { changeOf, moveBetween, transferOf } from "./tickets.state.ts";
import type { TicketState } from "./tickets.state.ts";

const waiting: TicketState & { connectionId: number } = {
  id: 1,
  status: "pending",
  userId: null,
  queueId: 3,
  chatbot: true,
  useIntegration: true,
  integrationId: 8,
  promptId: 9,
  connectionId: 1,
  awaitedUserId: null,
};
const mine = { ...waiting, status: "open" as const, userId: 7 };
const closed = { ...waiting, status: "closed" as const };

describe("moves", () => {
  const allowed = {
    "pending>open": "accept",
    "open>pending": "return",
    "open>closed": "resolve",
    "closed>open": "reopen",
  };

  test.each(ticketStatuses.flatMap((from) => ticketStatuses.map((to) => [from, to] as const)))(
    "%s to %s is one of the four moves or refused (T-12)",
    (from, to) => {
      const move = (allowed as Record<string, string>)[`${from}>${to}`];
      if (move) {
        expect(moveBetween(from, to)).toBe(move);
      } else {
        expect(() => moveBetween(from, to)).toThrow("ERR_TICKET_TRANSITION");
      }
    },
  );

  test("resolve keeps the queue and removes automation (T-10)", () => {
    expect(changeOf("resolve", 7)).toEqual({
      status: "closed",
      chatbot: false,
      useIntegration: false,
      integrationId: null,
      promptId: null,
    });
  });

  test("return clears the owner (T-09), accept and reopen make the actor the owner (T-08, T-11)", () => {
    expect(changeOf("return", 7)).toMatchObject({ status: "pending", userId: null });
    expect(changeOf("accept", 7)).toMatchObject({ status: "open", userId: 7, chatbot: false });
    expect(changeOf("reopen", 7)).toMatchObject({ status: "open", userId: 7 });
  });
});

test("a reply waits for who starts the conversation, until it is accepted, returned or transferred (T-16)", () => {
  expect(changeOf("reopen", 7)).toMatchObject({ awaitedUserId: 7 });
  expect(changeOf("resolve", 7)).not.toHaveProperty("awaitedUserId");
  expect([changeOf("accept", 7), changeOf("return", 7)]).toMatchObject([
    { awaitedUserId: null },
    { awaitedUserId: null },
  ]);
  expect(transferOf(mine, { userId: 8 })).toMatchObject({ awaitedUserId: null });
});

describe("transfer", () => {
  test("to a queue alone it is pending, without an owner", () => {
    expect(transferOf(mine, { queueId: 5 })).toMatchObject({ status: "pending", userId: null, queueId: 5 });
  });
  test("to a user it is open and theirs", () => {
    expect(transferOf(mine, { queueId: 5, userId: 8 })).toMatchObject({ status: "open", userId: 8, queueId: 5 });
    expect(transferOf(mine, { userId: 8 })).toMatchObject({ status: "open", userId: 8, queueId: 3 });
  });
  test("a closed ticket is not transferred", () => {
    expect(() => transferOf(closed, { queueId: 5 })).toThrow("ERR_TICKET_TRANSITION");
  });
});

describe("the intent behind a body (T-23)", () => {
  test.each([
    [{ status: "open", userId: 7 }, waiting, { verb: "accept" }],
    [{ status: "open" }, waiting, { verb: "accept" }],
    [{ status: "open", userId: 7, queueId: 5 }, waiting, { verb: "accept", queueId: 5 }],
    [{ status: "pending", userId: null }, mine, { verb: "return" }],
    [{ status: "closed", userId: 7, useIntegration: false, promptId: null }, mine, { verb: "resolve" }],
    [{ status: "open", userId: 7 }, closed, { verb: "reopen" }],
    [{ queueId: 5, status: "pending", userId: null }, mine, { verb: "transfer", target: { queueId: 5, userId: null } }],
    [{ queueId: 5, userId: 8 }, mine, { verb: "transfer", target: { queueId: 5, userId: 8 } }],
    [{ userId: 8 }, mine, { verb: "transfer", target: { userId: 8 } }],
    [{ userId: 7 }, { ...mine, userId: 9 }, { verb: "transfer", target: { userId: 7 } }],
    [{ whatsappId: 2 }, mine, { verb: "transfer", target: { userId: 7, connectionId: 2 } }],
    [{ status: "open", userId: 7 }, { ...mine, userId: 9 }, { verb: "accept" }],
    [{ promptId: null }, mine, { verb: "automation", change: { promptId: null } }],
    [{}, mine, { verb: "nothing" }],
  ] as const)("%j", (body, ticket, wish) => {
    expect(parseIntent(body, ticket, 7)).toEqual(wish);
  });

  test("no intent leads from pending to closed", () => {
    expect(() => parseIntent({ status: "closed" }, waiting, 7)).toThrow("ERR_TICKET_TRANSITION");
  });
});
