import type { Ticket } from "@prosa/contract/tickets";
import { requestComposerFocus } from "#web/features/messages/index.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import type { Translate } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import type { deskMessages } from "#web/app/screens/desk/desk.i18n.ts";

/** The open ticket of the same contact that prevents a new one (T-16), from the details of ERR_OTHER_OPEN_TICKET. */
export interface OtherTicket {
  readonly id: number;
  readonly uuid: string;
  readonly userId: number | null;
  readonly userName: string | undefined;
  readonly queueName: string | undefined;
}

/** Pure: undefined for every other error. */
export function otherTicketOf({ code, details }: Pick<ApiError, "code" | "details">): OtherTicket | undefined {
  const found = record(details.subject);
  if (code !== "ERR_OTHER_OPEN_TICKET" || typeof found?.uuid !== "string" || typeof found.id !== "number") {
    return undefined;
  }
  return {
    id: found.id,
    uuid: found.uuid,
    userId: typeof found.userId === "number" ? found.userId : null,
    userName: nameOf(found.user),
    queueName: nameOf(found.queue),
  };
}

/**
 * Opens what `create` makes, and what is typed next is text of it. Where the contact has a conversation already, the user's own is opened, and of another's they are
 * told who has it (T-16); other errors are thrown.
 */
export async function openOrExplain(
  create: () => Promise<Pick<Ticket, "id" | "uuid">>,
  to: {
    readonly userId: number;
    readonly onOpen: (ticket: Pick<Ticket, "uuid">) => void;
    readonly t: Translate<(typeof deskMessages)["pt"]>;
  },
): Promise<void> {
  const { userId, t } = to;
  const onOpen = (ticket: Pick<Ticket, "id" | "uuid">) => {
    requestComposerFocus(ticket.id);
    to.onOpen(ticket);
  };
  try {
    onOpen(await create());
  } catch (error) {
    const other = error instanceof ApiError ? otherTicketOf(error) : undefined;
    if (!other) {
      throw error;
    }
    if (other.userId === userId) {
      onOpen(other);
    } else {
      toast.error(otherTicketText(other, t));
    }
  }
}

/** Who has the other conversation, or in which queue it waits. */
export function otherTicketText(
  { userName: name, queueName }: OtherTicket,
  t: Translate<(typeof deskMessages)["pt"]>,
): string {
  const queue = queueName ?? t("noQueue");
  return name === undefined ? t("otherWaiting", { queue }) : t("otherOpen", { name, queue });
}

function nameOf(value: unknown): string | undefined {
  const name = record(value)?.name;
  return typeof name === "string" ? name : undefined;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
