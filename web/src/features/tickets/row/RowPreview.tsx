import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import { Clock } from "lucide-react";
import { useDraft } from "#web/lib/browser/drafts.ts";
import { useUnsent, type Unsent } from "#web/lib/browser/unsent.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { stripFormatting } from "#web/lib/text/plain-text.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { ticketMessages } from "../tickets.i18n.ts";
import { foundPieces, lastMessageLine } from "./last-message-preview.ts";

/** The second line of a row: what could not be sent, what was begun, what still waits, what a search found, or the last message. */
export function RowPreview(props: {
  readonly ticket: Ticket;
  readonly found: FoundMessage | undefined;
  /** Its composer is on the screen: the draft is seen there. */
  readonly isActive: boolean;
  readonly me: { readonly id: number; readonly name: string };
}) {
  const { ticket, found, me } = props;
  const t = useMessages(ticketMessages);
  const draft = useDraft("ticket", ticket.id);
  const unsent = useUnsent(ticket.id);
  const hasDraft = !props.isActive && (draft.text.trim() !== "" || draft.files > 0);

  if (found) {
    return (
      <Preview data-testid="found">
        {foundPieces(found, me.id, t).map((piece, index) =>
          index % 2 === 1 ? <Mark key={index}>{piece}</Mark> : piece,
        )}
      </Preview>
    );
  }
  const isFailed = unsent?.isFailed || ticket.lastMessageFailed;
  const last = lastMessageLine(unsent && !isFailed ? asLastMessage(unsent, me) : ticket, me.id, t);
  if (isFailed) {
    return (
      <Preview>
        <Danger>{t("notSent")}</Danger> {last}
      </Preview>
    );
  }
  if (hasDraft) {
    const text = stripFormatting(draft.text).replace(/\s+/gu, " ").trim();
    return (
      <Preview>
        <Danger>{t("draft")}</Danger> {text || t("draftFiles", { count: draft.files })}
      </Preview>
    );
  }
  return (
    <Preview data-unread={ticket.unreadMessages > 0 || undefined}>
      {unsent && (
        <Waiting role="img" aria-label={t("waitingToSend")} title={t("waitingToSend")}>
          <Clock aria-hidden />
        </Waiting>
      )}
      {last}
    </Preview>
  );
}

/** What waits in the outbox, as a ticket has its last message. */
function asLastMessage({ text, type }: Unsent, user: { readonly id: number; readonly name: string }) {
  return { lastMessage: text, lastMessageType: type, lastMessageAuthor: { kind: "user", user } } as const;
}

const Preview = styled("span")({
  flex: 1,
  minWidth: 0,
  fontSize: 13,
  color: color.ink2,
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  "&[data-unread]": { color: color.ink, fontWeight: 500 },
});
const Danger = styled("b")({ fontWeight: 600, color: color.danger });
const Waiting = styled("span")({
  marginRight: 4,
  verticalAlign: -2,
  "& svg": { width: 13, height: 13, strokeWidth: 2 },
});
const Mark = styled("mark")({
  borderRadius: 3,
  backgroundColor: color.accentSoft,
  color: color.ink,
  fontWeight: 600,
});
