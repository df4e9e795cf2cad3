import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import type { ComponentProps, ReactNode } from "react";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { tintOf } from "#web/ui/Avatar.tsx";
import { color, media } from "#web/ui/theme.ts";
import { Ack } from "./Ack.tsx";
import { conversationMessages } from "./messages.i18n.ts";
import { holdable } from "./useHold.ts";

export interface FrameProps {
  /** Of an album: its first. */
  readonly message: Message;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isGroup: boolean;
  readonly isLit: boolean;
  /** What a resting finger does, see `useHold`. */
  readonly held?: Pick<ComponentProps<"div">, "onPointerDown" | "onClickCapture" | "onContextMenu">;
  readonly children: ReactNode;
}

/** What every bubble looks like from outside: its side, its corners, who wrote it. */
export function BubbleFrame({ message, isFirst, isLast, isGroup, isLit, held, children }: FrameProps) {
  const t = useMessages(conversationMessages);
  const side = message.fromMe ? "own" : "theirs";
  return (
    <Row data-side={side} data-last={isLast || undefined} data-message={message.id}>
      <Box {...held} data-side={side} data-first={isFirst || undefined} data-lit={isLit || undefined}>
        {message.isAutomatic && <Author>{t("automatic")}</Author>}
        {isGroup && !message.fromMe && isFirst && message.participant && (
          <Author style={{ color: tintOf(message.participant.name) }}>
            {message.participant.name || message.participant.number}
          </Author>
        )}
        {children}
      </Box>
    </Row>
  );
}

/** When it was written, how far it got, and whether it was changed since. */
export function BubbleMeta(props: { readonly message: Message; readonly onHistory: (message: Message) => void }) {
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

export function Reacted({ reactions }: Pick<Message, "reactions">) {
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

const Row = styled("div")({
  display: "flex",
  padding: "1px 24px",
  "&[data-side='own']": { justifyContent: "flex-end" },
  "&[data-last]": { paddingBottom: 7 },
  [media.phone]: { padding: "1px 10px" },
});

const Box = styled("div")({
  position: "relative",
  minWidth: 64,
  maxWidth: "min(560px, 82%)",
  padding: "6px 10px 4px",
  borderRadius: 10,
  border: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  fontSize: 14,
  lineHeight: 1.45,
  "&[data-side='own']": { backgroundColor: color.own, borderColor: color.ownLine },
  "&[data-first][data-side='own']": { borderTopRightRadius: 3 },
  "&[data-first][data-side='theirs']": { borderTopLeftRadius: 3 },
  "&[data-lit]": { outline: `2px solid ${color.accent}`, outlineOffset: 1 },
  ...holdable,
});

const Author = styled("div")({ fontSize: 12, fontWeight: 500, color: color.ink2, marginBottom: 1 });
const Meta = styled("div")({
  display: "flex",
  justifyContent: "flex-end",
  alignItems: "center",
  gap: 4,
  marginTop: 1,
  fontSize: 11,
  color: color.ink2,
  // Behind a text: on its last line where there is room, else below.
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
  // away from the ticks and the time
  left: 8,
});
