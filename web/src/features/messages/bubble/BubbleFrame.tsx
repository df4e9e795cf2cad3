import { styled } from "#web/ui/styled.ts";
import type { ReactNode } from "react";
import { color, media } from "#web/ui/theme.ts";
import { columnPadding } from "../content-styles.ts";
import { longPressTarget, type LongPressProps } from "./useLongPressMenu.ts";

export interface BubbleFrameProps {
  /** Who of the company wrote this and the own bubbles below it; stands above the bubble. */
  readonly author?: string | undefined;
  /** Own messages are at the right, everybody else's at the left. */
  readonly isOwn: boolean;
  /** Sharpens the upper corner at the author's side: the first bubble of a run. */
  readonly hasTail?: boolean;
  /** Space between this run of bubbles and the next or the previous one. */
  readonly gap?: "above" | "below" | undefined;
  readonly isHighlighted?: boolean;
  /** The server does not have the message yet, or refused it. */
  readonly pending?: "waiting" | "failed";
  readonly messageId?: number;
  /** On touch screens a long press opens the bubble's menu instead of selecting text. */
  readonly isLongPressTarget?: boolean;
  readonly longPress?: LongPressProps | undefined;
  /** What people reacted with; hangs at the lower edge, with room below it. */
  readonly reactions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every bubble, in customers' conversations and in the internal chat: side, corners, colours. */
export function BubbleFrame({ isOwn, gap, pending, messageId, author, reactions, children, ...box }: BubbleFrameProps) {
  const side = isOwn ? "own" : "theirs";
  return (
    <Row data-side={side} data-gap={gap} data-message={messageId} data-reactions={reactions ? "" : undefined}>
      {author !== undefined && <Author title={author}>{author}</Author>}
      <Box
        {...box.longPress}
        data-side={side}
        data-tail={box.hasTail || undefined}
        data-pending={pending}
        data-highlighted={box.isHighlighted || undefined}
        data-long-press={box.isLongPressTarget || undefined}
      >
        {children}
        {reactions}
      </Box>
    </Row>
  );
}

const Row = styled("div")({
  display: "flex",
  flexDirection: "column",
  alignItems: "flex-start",
  padding: `1px ${columnPadding}px`,
  [media.phone]: { padding: "1px 14px" },
  "&[data-side='own']": { alignItems: "flex-end" },
  "&[data-gap='above']": { paddingTop: 7 },
  "&[data-gap='below']": { paddingBottom: 7 },
  "&&[data-reactions]": { paddingBottom: 22 },
});

const Author = styled("span")({
  maxWidth: "min(560px, 82%)",
  padding: "4px 4px 2px",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  fontSize: 12,
  fontWeight: 600,
  color: color.ink2,
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
  "&[data-tail][data-side='own']": { borderTopRightRadius: 3 },
  "&[data-tail][data-side='theirs']": { borderTopLeftRadius: 3 },
  "&[data-pending]": { borderStyle: "dashed" },
  "&&[data-pending='failed']": { borderColor: color.danger },
  "&[data-highlighted]": { outline: `2px solid ${color.accent}`, outlineOffset: 1 },
  "[data-row]:focus-visible &": { outline: `2px solid ${color.accent}`, outlineOffset: 2 },
  "&[data-long-press]": longPressTarget,
});
