import type { TagRecord } from "@prosa/contract/tags";
import { useQuery } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { Link } from "#web/lib/routing/router.tsx";
import { TagDialog, tagListMessages, tagsOptions, tagsResource } from "#web/features/tags/index.ts";
import { useCan } from "#web/lib/session/permissions.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Chip } from "#web/ui/Chip.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";

/** /tags: the company's tags, and how many conversations have each (O-04). Its events are the shell's, like a ticket's. */
export function Tags() {
  const mayDelete = useCan("tags:delete");
  // the colours of all tags, for the form of a new one
  const all = useQuery(tagsOptions).data ?? [];
  return (
    <RecordList
      resource={tagsResource}
      texts={tagListMessages}
      icon={<Tag />}
      columns={useColumns()}
      nameOf={({ name }) => name}
      deleteCount={({ ticketsCount }) => ticketsCount}
      isKept={() => !mayDelete}
      form={(tag, onClose) => <TagDialog tag={tag} usedColors={all.map(({ color: used }) => used)} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<TagRecord>[] {
  const t = useMessages(tagListMessages);
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(140px, 2fr)",
      cell: ({ name, color: tint }) => (
        <Name title={name}>
          <Chip tint={tint}>{name}</Chip>
        </Name>
      ),
    },
    {
      key: "kanban",
      title: t("kanban"),
      width: "minmax(80px, 1fr)",
      cell: ({ kanban }) => (kanban === 1 ? t("isLane") : <Soft>{t("isNoLane")}</Soft>),
    },
    {
      key: "tickets",
      title: t("tickets"),
      width: "110px",
      align: "right",
      cell: (tag) => <Tickets tag={tag} />,
    },
  ];
}

/** How many conversations have the tag; leads to them on the desk. */
function Tickets({ tag: { id, name, ticketsCount } }: { readonly tag: TagRecord }) {
  const t = useMessages(tagListMessages);
  const format = useFormat();
  const seesAll = useCan("tickets-manager:showall");
  if (ticketsCount === 0) {
    return <Soft>0</Soft>;
  }
  return (
    <Count
      to={`/tickets?tag=${id}`}
      aria-label={t("openTickets", { count: ticketsCount, name })}
      title={seesAll ? t("openTickets", { count: ticketsCount, name }) : t("countedForAll")}
      // the row would open its form
      onClick={(event) => event.stopPropagation()}
    >
      {format.number(ticketsCount)}
    </Count>
  );
}

const Name = styled("span")({
  display: "block",
  minWidth: 0,
  "& > span": { maxWidth: "100%", verticalAlign: "middle", fontSize: 12, lineHeight: "20px", padding: "1px 8px" },
});
const Soft = styled("span")({ color: color.ink2 });
const Count = styled(Link)({
  display: "inline-block",
  padding: "4px 0 4px 12px",
  fontWeight: 500,
  color: color.accent,
  fontVariantNumeric: "tabular-nums",
  [media.coarse]: { display: "inline-grid", placeItems: "center end", minWidth: size.finger, minHeight: size.finger },
  // under the other values of its card
  [media.phone]: { paddingLeft: 0, justifyItems: "start" },
});
