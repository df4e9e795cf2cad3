import type { Ticket } from "@prosa/contract/tickets";
import { KanbanSquare } from "lucide-react";
import { useEffect } from "react";
import { lastMessageLine, ticketMessages } from "#web/features/tickets/index.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Button } from "#web/ui/Button.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { ListRows, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { media } from "#web/ui/theme.ts";
import { nameOfCard, useLaneCards } from "./board/index.ts";
import { kanbanMessages } from "./kanban.i18n.ts";
import type { CardList as Cards } from "./lanes.ts";

/** The cards of every lane as a table: id, contact, number, last message, tags (specification 2 section 2). */
export function CardList(props: {
  readonly list: Cards;
  readonly onOpen: (ticket: Ticket) => void;
  readonly onAccept: (ticket: Ticket) => void;
  readonly onCount: (count: number | undefined) => void;
}) {
  const { list, onCount, onOpen } = props;
  const isPhone = useMedia(media.phone);
  const t = useMessages(kanbanMessages);
  const ofTicket = useMessages(ticketMessages);
  const { id: myId } = useUser();
  const all = useLaneCards(list);
  const { count, onLookedAt, cards } = all;
  useEffect(() => onCount(count), [onCount, count]);
  useEffect(() => onLookedAt(cards.length), [onLookedAt, cards.length]);

  const id: Column<Ticket> = { key: "id", title: t("id"), cell: (ticket) => String(ticket.id), width: "72px" };
  const contact: Column<Ticket> = { key: "contact", title: t("contact"), cell: nameOfCard, width: "minmax(0, 2fr)" };
  return (
    <ListRows
      rows={cards}
      count={count}
      columns={[
        // a card on a phone has its first cell as its title
        ...(isPhone ? [contact, id] : [id, contact]),
        {
          key: "number",
          title: t("number"),
          cell: ({ contact }) => (contact.isGroup ? t("group") : phoneText(contact.number)),
          width: "160px",
        },
        {
          key: "lastMessage",
          title: t("lastMessage"),
          cell: (ticket) => lastMessageLine(ticket, myId, ofTicket),
          width: "minmax(0, 3fr)",
        },
        {
          key: "tags",
          title: t("tags"),
          cell: ({ tags }) =>
            tags.length > 0 && (
              <Tags>
                {tags.map((tag) => (
                  <Chip key={tag.id} tint={tag.color} title={tag.name}>
                    {tag.name}
                  </Chip>
                ))}
              </Tags>
            ),
          width: "minmax(0, 2fr)",
        },
      ]}
      onOpen={onOpen}
      openLabel={(ticket) => t("open", { name: nameOfCard(ticket) })}
      rowActions={(ticket) =>
        ticket.status === "pending" && (
          <Verbs>
            <Button onClick={() => props.onAccept(ticket)}>{ofTicket("accept")}</Button>
          </Verbs>
        )
      }
      isLoading={all.isLoading && !all.error}
      isLoadingMore={all.isFetching && cards.length > 0 && all.hasMore}
      hasMore={all.hasMore}
      hasMoreFailed={all.hasMore && all.error !== null}
      error={all.error}
      errorTitle={t("failed")}
      onMore={all.onMore}
      onRetry={all.onRetry}
      empty={<EmptyState icon={<KanbanSquare />} title={t("none")} text={t("noneText")} />}
    />
  );
}

const Verbs = styled("span")({ display: "inline-flex", alignItems: "center", gap: 4 });
const Tags = styled("span")({ display: "flex", flexWrap: "wrap", gap: 4 });
