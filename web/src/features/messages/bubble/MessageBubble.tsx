import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { lazy, memo, Suspense } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { color } from "#web/ui/theme.ts";
import { BubbleContent } from "./BubbleContent.tsx";
import type { BubbleContentProps } from "./bubble-content-props.ts";
import { MessageFrame, MessageMeta, type MessageFrameProps } from "./MessageFrame.tsx";
import { conversationMessages } from "../messages.i18n.ts";
import { campaignOf } from "./campaign-of.ts";
import { MessageMenu, type MessageVerbs } from "./MessageMenu.tsx";
import { quotedAuthor, quotedText } from "./quotation.ts";
import { useLongPressMenu } from "./useLongPressMenu.ts";

const CampaignLine = lazy(async () => ({ default: (await import("./CampaignLine.tsx")).CampaignLine }));
const FailureNotice = lazy(async () => ({ default: (await import("./FailureNotice.tsx")).FailureNotice }));

const SourcesLine = lazy(async () => ({ default: (await import("./SourcesLine.tsx")).SourcesLine }));
const HeldNotice = lazy(async () => ({ default: (await import("./HeldNotice.tsx")).HeldNotice }));

export interface BubbleVerbs
  extends MessageVerbs, Pick<BubbleContentProps, "onOpenPhoto" | "onRefetch" | "onStartConversation"> {
  readonly onRetry: (message: Message) => void;
  readonly onJump: (messageId: number) => void;
}

export interface MessageBubbleProps extends Omit<MessageFrameProps, "children" | "longPress" | "reactions"> {
  /** May this person write here? Otherwise the bubble is read-only. */
  readonly canWrite: boolean;
  readonly verbs: BubbleVerbs;
}

/** One message: its quotation, content, failure, menu and reactions. */
export const MessageBubble = memo(function MessageBubble({ verbs, canWrite, ...frame }: MessageBubbleProps) {
  const { message } = frame;
  const t = useMessages(conversationMessages);
  const { id: myId } = useUser();
  const { menu, longPress } = useLongPressMenu();
  const isText = message.mediaType === "chat" && !message.isDeleted;
  const campaign = message.fromMe ? campaignOf(message) : undefined;
  const meta = <MessageMeta message={message} onHistory={verbs.onHistory} />;

  return (
    <MessageFrame {...frame} reactions={message.reactions} longPress={longPress}>
      {campaign && (
        // as high as the line: no shift when it loads
        <Suspense fallback={<div style={{ height: 19 }} />}>
          <CampaignLine campaign={campaign} />
        </Suspense>
      )}
      {message.quotedMsg && !message.isDeleted && (
        <Quoted
          type="button"
          aria-label={t("jump")}
          onClick={() => message.quotedMsg && verbs.onJump(message.quotedMsg.id)}
        >
          <b>{quotedAuthor(message.quotedMsg, myId, t)}</b>
          <span>{message.quotedMsg.isDeleted ? t("deleted") : quotedText(message.quotedMsg, t)}</span>
        </Quoted>
      )}
      <Body data-inline={isText || undefined}>
        <BubbleContent
          message={message}
          onOpenPhoto={verbs.onOpenPhoto}
          onRefetch={verbs.onRefetch}
          onStartConversation={verbs.onStartConversation}
        />
        {isText && meta}
      </Body>
      {!isText && meta}
      {message.isAutomatic && message.data?.sources !== undefined && !message.isDeleted && (
        // as high as one line: no shift when it loads
        <Suspense fallback={<div style={{ height: 26 }} />}>
          <SourcesLine data={message.data} />
        </Suspense>
      )}
      {isFailed(message) && (
        <Suspense>
          <FailureNotice message={message} canWrite={canWrite} onRetry={verbs.onRetry} />
        </Suspense>
      )}
      {message.fromMe && message.ack === 0 && !message.isDeleted && (
        <Suspense>
          <HeldNotice message={message} />
        </Suspense>
      )}
      <MessageMenu
        ref={menu}
        corner={message.fromMe ? "own" : "theirs"}
        message={message}
        canWrite={canWrite}
        verbs={verbs}
      />
    </MessageFrame>
  );
});

function isFailed({ changeFailure, ack, isDeleted }: Message): boolean {
  return changeFailure !== null || (ack < 0 && !isDeleted);
}

const Body = styled("div")({
  display: "flow-root",
  overflowWrap: "anywhere",
  whiteSpace: "pre-wrap",
  // each line of a text in its own direction: Arabic and Hebrew begin at the right
  unicodeBidi: "plaintext",
});

const Quoted = styled("button")({
  display: "flex",
  flexDirection: "column",
  width: "100%",
  marginBottom: 4,
  padding: "4px 8px",
  border: 0,
  borderLeft: `3px solid ${color.accent}`,
  borderRadius: 6,
  backgroundColor: "color-mix(in srgb, currentColor 7%, transparent)",
  fontSize: 13,
  textAlign: "left",
  cursor: "pointer",
  "& b": { color: color.accent, fontSize: 12 },
  "& span": {
    display: "-webkit-box",
    WebkitLineClamp: 2,
    WebkitBoxOrient: "vertical",
    overflow: "hidden",
    color: color.ink2,
    overflowWrap: "anywhere",
  },
});
