import { expect, test } from "vitest";
import { errorFromAnswer } from "#web/lib/api/apiError.ts";
import { otherTicketOf } from "./otherTicket.ts";

const refusal = (ticket: object) =>
  errorFromAnswer(409, { error: JSON.stringify(ticket), code: "ERR_OTHER_OPEN_TICKET", requestId: "1" });

test("user and queue of the other ticket are parsed from the error (T-16)", () => {
  const ticket = { id: 7, uuid: "u-7", userId: 3, user: { id: 3, name: "Paulo" }, queue: { id: 1, name: "Vendas" } };
  expect(otherTicketOf(refusal(ticket))).toEqual({
    id: 7,
    uuid: "u-7",
    userId: 3,
    userName: "Paulo",
    queueName: "Vendas",
  });
});

test("a pending ticket has no user, and perhaps no queue (T-16)", () => {
  const ticket = { id: 7, uuid: "u-7", userId: null, user: null, queue: null };
  expect(otherTicketOf(refusal(ticket))).toEqual({
    id: 7,
    uuid: "u-7",
    userId: null,
    userName: undefined,
    queueName: undefined,
  });
});

test("another error gives undefined (T-16)", () => {
  const error = errorFromAnswer(404, { error: "ERR_NO_CONTACT_FOUND", requestId: "1" });
  expect(otherTicketOf(error)).toBeUndefined();
});
