import { styled } from "#web/ui/styled.ts";
import { memo, Suspense, type Ref } from "react";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { useFormat, type Format } from "#web/lib/text/format.ts";
import { useMessages, type Translate } from "#web/lib/text/i18n.ts";
import { Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { LazyAlbumBubble, MessageBubble, NoteBubble, type BubbleVerbs } from "../bubble/index.ts";
import { columnPadding } from "../content-styles.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { PendingMessageBubble } from "../outbox/index.ts";
import { rowName } from "./row-name.ts";
import type { Row } from "./useRows.ts";

/** Estimated heights of rows that were not measured yet (px). */
export const rowHeights = {
  message: 58,
  pending: 58,
  album: 340,
  note: 40,
  day: 34,
  started: 34,
  ended: 34,
  newSince: 34,
} as const;

/** These take the focus. */
export const focusableKinds: ReadonlySet<Row["kind"]> = new Set(["message", "album", "pending", "note"]);

export interface ConversationRowProps extends RowContentProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly index: number;
  /** From the top, in px. */
  readonly start: number;
  readonly isTabStop: boolean;
}

interface RowContentProps {
  readonly row: Row;
  readonly isGroup: boolean;
  readonly canWrite: boolean;
  readonly highlightedId: number | undefined;
  readonly verbs: BubbleVerbs;
}

/** One row of the conversation at its place. The conversation renders a few times while it is opened, its rows once. */
export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { ref, index, start, isTabStop, ...content } = props;
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const { row } = content;
  return (
    <RowPosition
      ref={ref}
      data-index={index}
      {...(focusableKinds.has(row.kind) && {
        role: "article",
        "aria-label": rowName(row, t, format),
        "data-row": row.key,
        tabIndex: isTabStop ? 0 : -1,
      })}
      style={{ transform: `translateY(${start}px)` }}
    >
      <RowContent {...content} />
    </RowPosition>
  );
});

/** A bubble, a note, or a line between them. */
function RowContent({ row, highlightedId, ...frame }: RowContentProps) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  switch (row.kind) {
    case "message":
      return <MessageBubble {...row} {...frame} isHighlighted={row.message.id === highlightedId} />;
    case "album":
      return (
        <Suspense fallback={<Skeleton style={{ width: 320, height: rowHeights.album }} />}>
          <LazyAlbumBubble {...row} {...frame} highlightedId={highlightedId} />
        </Suspense>
      );
    case "pending":
      return (
        <PendingMessageBubble
          entry={row.entry}
          author={row.author}
          text={row.text}
          quoted={row.quoted}
          onJump={frame.verbs.onJump}
        />
      );
    case "note":
      return <NoteBubble note={row.note} />;
    case "day":
      return <DayLine day={row.day} />;
    case "newSince":
      return <NewSinceLine row={row} />;
    case "started":
    case "ended":
      return (
        <Marker>
          <span>{t(row.kind, { at: format.dateTime(row.at) })}</span>
        </Marker>
      );
  }
}

/** At midnight "today" becomes "yesterday", though nothing else in the row changes. */
function DayLine({ day }: { readonly day: string }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  return <Day>{useOfMinute(() => format.day(day, { today: t("today"), yesterday: t("yesterday") }))}</Day>;
}

function NewSinceLine({ row }: { readonly row: Extract<Row, { kind: "newSince" }> }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  return (
    <NewLine role="separator" data-testid="new-since">
      {useOfMinute(() => newSinceText(row, t, format))}
    </NewLine>
  );
}

type Texts = Translate<(typeof conversationMessages)["pt"]>;

function newSinceText(row: Extract<Row, { kind: "newSince" }>, t: Texts, format: Format): string {
  const { count, at } = row;
  const day = format.day(at, { today: "", yesterday: t("yesterday").toLocaleLowerCase() });
  return day === ""
    ? t("newSince", { count, at: format.time(at) })
    : t("newSinceDay", { count, at: `${day} ${format.time(at)}` });
}

const Day = styled("div")({ padding: "8px 0 6px", textAlign: "center", fontSize: 12, color: color.ink2 });
const Marker = styled("div")({
  display: "flex",
  justifyContent: "center",
  padding: "4px 12px 8px",
  "& span": { padding: "3px 12px", borderRadius: 12, backgroundColor: color.chip, fontSize: 12, color: color.ink2 },
});
const NewLine = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 16,
  padding: `8px ${columnPadding}px`,
  fontSize: 12,
  fontWeight: 600,
  color: color.accent,
  "&::before, &::after": {
    content: '""',
    flex: 1,
    height: 1,
    backgroundColor: `color-mix(in srgb, ${color.accent} 55%, transparent)`,
  },
});
const RowPosition = styled("div")({
  position: "absolute",
  top: 0,
  left: 0,
  width: "100%",
  "&:hover, &:focus-within": { zIndex: 1 },
  // the ring is around the bubble
  "&:focus": { outline: "none" },
});
