import type { TicketStatus } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";

/** The fields that the verbs of a ticket read and change. */
export interface TicketState {
  readonly id: number;
  readonly status: TicketStatus;
  readonly userId: number | null;
  readonly queueId: number | null;
  readonly chatbot: boolean;
  readonly useIntegration: boolean;
  readonly integrationId: number | null;
  readonly promptId: number | null;
  /** Who scheduled or started what the contact has not answered yet: a reply within a day waits for them (decision 0144). */
  readonly awaitedUserId: number | null;
}

/** Fields that a verb changes; the rest of the ticket stays. */
export type TicketChange = Partial<Omit<TicketState, "id">>;

export type TicketMove = "accept" | "return" | "resolve" | "reopen";

/** The four status transitions (specification 1 section 4). */
const moves: Readonly<Record<TicketStatus, Partial<Record<TicketStatus, TicketMove>>>> = {
  pending: { open: "accept" },
  open: { pending: "return", closed: "resolve" },
  closed: { open: "reopen" },
};

/** The verb that leads from one status to another; ERR_TICKET_TRANSITION where there is none. */
export function moveBetween(from: TicketStatus, to: TicketStatus): TicketMove {
  const move = moves[from][to];
  if (!move) {
    throw new AppError("ERR_TICKET_TRANSITION", { from, to });
  }
  return move;
}

/** Status after each move. */
export const endOf = {
  accept: "open",
  return: "pending",
  resolve: "closed",
  reopen: "open",
} as const satisfies Record<TicketMove, TicketStatus>;

/** Change of a ticket that closes: the queue stays; bot, prompt and integration are removed. */
export const closing = {
  status: "closed",
  chatbot: false,
  useIntegration: false,
  integrationId: null,
  promptId: null,
} as const satisfies TicketChange;

/** The change that a move makes. A user who accepts a ticket stops the bot on it (behaviour 5, rule 8). */
export function changeOf(move: TicketMove, userId: number): TicketChange {
  switch (move) {
    case "accept":
      return { status: "open", userId, chatbot: false, awaitedUserId: null };
    case "reopen":
      return { status: "open", userId, chatbot: false, awaitedUserId: userId };
    case "return":
      return { status: "pending", userId: null, awaitedUserId: null };
    case "resolve":
      return closing;
  }
}

export interface TransferTarget {
  readonly queueId?: number | null;
  readonly userId?: number | null;
}

/**
 * The change that a transfer makes: to a user the ticket is open and theirs, to a queue alone it is pending without an owner.
 * ERR_TICKET_TRANSITION for a closed ticket, which must be reopened first.
 */
export function transferOf(ticket: TicketState, target: TransferTarget): TicketChange {
  if (ticket.status === "closed") {
    throw new AppError("ERR_TICKET_TRANSITION", { from: ticket.status, to: "transferred" });
  }
  const queueId = target.queueId === undefined ? ticket.queueId : target.queueId;
  const rest = { chatbot: false, useIntegration: false, integrationId: null, promptId: null, awaitedUserId: null };
  if (target.userId) {
    return { status: "open", userId: target.userId, queueId, ...rest };
  }
  return { status: "pending", userId: null, queueId, ...rest };
}

/** Does the change alter a field? */
export function isChange(ticket: TicketState, change: TicketChange): boolean {
  return (Object.keys(change) as (keyof TicketChange)[]).some((key) => change[key] !== ticket[key]);
}
