import type { ApiError } from "#web/lib/api/apiError.ts";

/** The open ticket of the same contact that prevents a new one (T-16), from the details of ERR_OTHER_OPEN_TICKET. */
export interface OtherTicket {
  readonly uuid: string;
  readonly userId: number | null;
  readonly userName: string | undefined;
  readonly queueName: string | undefined;
}

/** Pure: undefined for every other error. */
export function otherTicketOf({ code, details }: Pick<ApiError, "code" | "details">): OtherTicket | undefined {
  const found = record(details.subject);
  if (code !== "ERR_OTHER_OPEN_TICKET" || typeof found?.uuid !== "string") {
    return undefined;
  }
  return {
    uuid: found.uuid,
    userId: typeof found.userId === "number" ? found.userId : null,
    userName: nameOf(found.user),
    queueName: nameOf(found.queue),
  };
}

function nameOf(value: unknown): string | undefined {
  const name = record(value)?.name;
  return typeof name === "string" ? name : undefined;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
