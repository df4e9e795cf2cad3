import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import type { ReactNode } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { tintOf } from "#web/ui/Avatar.tsx";
import { color } from "#web/ui/theme.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { Ack } from "./Ack.tsx";
import { BubbleFrame } from "./BubbleFrame.tsx";
import type { LongPressProps } from "./useLongPressMenu.ts";

export interface MessageFrameProps {
  /** Of an album: its first. */
  readonly message: Message;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isGroup: boolean;
  /** Somebody jumped to this message: it is outlined for a moment. */
  readonly isHighlighted: boolean;
  readonly longPress?: LongPressProps;
  readonly children: ReactNode;
}

/** A bubble frame with its author: the bot, or in a group the participant. */
export function MessageFrame({ message, isFirst, isLast, isGroup, children, ...frame }: MessageFrameProps) {
  const t = useMessages(conversationMessages);
  return (
    <BubbleFrame
      {...frame}
      isOwn={message.fromMe}
      hasTail={isFirst}
      gap={isLast ? "below" : undefined}
      messageId={message.id}
      isLongPressTarget
    >
      {message.isAutomatic && <Author>{t("bot")}</Author>}
      {isGroup && !message.fromMe && isFirst && message.participant && (
        <Author style={{ color: tintOf(message.participant.name) }}>
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
      <time dateTime={message.createdAt}>{format.time(message.createdAt)}</time>
      {message.fromMe && !(message.isDeleted && message.ack < 1) && <Ack ack={message.ack} />}
    </Meta>
  );
}

export function ReactionChips({ reactions }: Pick<Message, "reactions">) {
  const t = useMessages(conversationMessages);
  return reactions.length === 0 ? null : (
    <Chips>
      {reactions.map((reaction, index) => (
        <span key={index} title={reaction.fromMe ? t("you") : reaction.name}>
          {reaction.emoji}
        </span>
      ))}
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
  bottom: -10,
  display: "inline-flex",
  padding: "0 5px",
  borderRadius: 10,
  border: `1px solid ${color.line}`,
  backgroundColor: color.raised,
  fontSize: 13,
  lineHeight: "18px",
  // clear of the ticks and the time at the right
  left: 8,
});
