import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { Suspense, type ReactNode } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { authorColor } from "#web/ui/Avatar.tsx";
import { color } from "#web/ui/theme.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { Ack } from "./Ack.tsx";
import { BubbleFrame } from "./BubbleFrame.tsx";
import { authorName } from "./quotation.ts";
import type { LongPressProps } from "./useLongPressMenu.ts";

const ImportedMark = lazyOrNothing(async () => (await import("./ImportedMark.tsx")).ImportedMark);

export interface MessageFrameProps {
  /** Of an album: its first. */
  readonly message: Message;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The author's name stands here: above an own bubble, and in a group in a participant's. */
  readonly hasAuthor: boolean;
  readonly isGroup: boolean;
  /** Somebody jumped to this message: it is outlined for a moment. */
  readonly isHighlighted: boolean;
  readonly longPress?: LongPressProps;
  /** Those of an album hang at its tiles. */
  readonly reactions?: Message["reactions"];
  readonly children: ReactNode;
}

/** A bubble frame with its author: who of the company wrote it, or in a group the participant. */
export function MessageFrame(props: MessageFrameProps) {
  const { message, isFirst, isLast, hasAuthor, isGroup, reactions = [], children, ...frame } = props;
  const t = useMessages(conversationMessages);
  return (
    <BubbleFrame
      {...frame}
      isOwn={message.fromMe}
      hasTail={isFirst}
      gap={isLast ? "below" : undefined}
      messageId={message.id}
      author={hasAuthor && message.fromMe ? authorName(message, t) : undefined}
      reactions={reactions.length > 0 && <ReactionChips reactions={reactions} />}
      isLongPressTarget
    >
      {isGroup && !message.fromMe && hasAuthor && message.participant && (
        <Author style={{ color: authorColor(message.participant.name || message.participant.number) }}>
          {message.participant.name || message.participant.number}
        </Author>
      )}
      {children}
    </BubbleFrame>
  );
}

/** The time, the delivery ticks of an own message, and the way to earlier texts of an edited one. */
export function MessageMeta(props: { readonly message: Message; readonly onHistory: (message: Message) => void }) {
  const { message, onHistory } = props;
  const t = useMessages(conversationMessages);
  const format = useFormat();
  return (
    <Meta>
      {message.isEdited && !message.isDeleted && (
        <button type="button" onClick={() => onHistory(message)} aria-label={t("history")}>
          {t("edited")} ·
        </button>
      )}
      {message.data?.imported === true && (
        // as wide as the mark: no shift when it loads
        <Suspense fallback={<span style={{ width: 11 }} />}>
          <ImportedMark />
        </Suspense>
      )}
      <time dateTime={message.createdAt}>{format.time(message.createdAt)}</time>
      {message.fromMe && !(message.isDeleted && message.ack < 1) && <Ack ack={message.ack} />}
    </Meta>
  );
}

/** More emoji than these on a short bubble of ours would leave the column at the right. */
const mostOverShort = 3;

/** Each emoji once, with how many people chose it and, as its name, who they are. */
export function ReactionChips({ reactions }: Pick<Message, "reactions">) {
  const t = useMessages(conversationMessages);
  const groups = [...new Set(reactions.map(({ emoji }) => emoji))];
  return groups.length === 0 ? null : (
    <Chips data-testid="reactions" data-many={groups.length > mostOverShort || undefined}>
      {groups.map((emoji) => {
        const people = reactions.filter((each) => each.emoji === emoji);
        const names = people.map(({ fromMe, name }) => (fromMe ? t("team") : name)).filter((name) => name !== "");
        return (
          <span key={emoji} role="img" title={names.join(", ")} aria-label={[emoji, ...names].join(" ")}>
            {emoji}
            {people.length > 1 && <small>{people.length}</small>}
          </span>
        );
      })}
    </Chips>
  );
}

const Author = styled("div")({ fontSize: 12, fontWeight: 500, color: color.ink2, marginBottom: 1 });
const Meta = styled("div")({
  display: "flex",
  justifyContent: "flex-end",
  alignItems: "center",
  gap: 4,
  marginTop: 1,
  fontSize: 11,
  color: color.ink2,
  // Behind a text: on its last line where it fits, else below.
  "[data-inline] > &": { float: "right", height: "1.3em", margin: "7px 0 -1px 14px" },
  "& button": { border: 0, padding: 0, background: "none", fontSize: 11, color: "inherit", cursor: "pointer" },
});

const Chips = styled("div")({
  position: "absolute",
  // over the bubble's padding only: below the time and the ticks
  top: "calc(100% - 4px)",
  left: 8,
  display: "inline-flex",
  gap: 4,
  padding: "0 6px",
  borderRadius: 12,
  border: `1px solid ${color.line}`,
  backgroundColor: color.raised,
  fontSize: 14,
  lineHeight: "20px",
  whiteSpace: "nowrap",
  "& small": { marginLeft: 2, fontSize: 11, color: color.ink2 },
  "[data-side='own'] > &[data-many]": { left: "auto", right: 8 },
});
