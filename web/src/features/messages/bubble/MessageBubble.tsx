import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { memo, Suspense } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { BubbleContent } from "./BubbleContent.tsx";
import type { BubbleContentProps } from "./bubble-content-props.ts";
import { MessageFrame, MessageMeta, type MessageFrameProps } from "./MessageFrame.tsx";
import { campaignOf } from "./campaign-of.ts";
import { MessageMenu, type MessageVerbs } from "./MessageMenu.tsx";
import { QuotedMessage } from "./QuotedMessage.tsx";
import { useLongPressMenu } from "./useLongPressMenu.ts";

const CampaignLine = lazyOrNothing(async () => (await import("./CampaignLine.tsx")).CampaignLine);
const FailureNotice = lazyOrNothing(async () => (await import("./FailureNotice.tsx")).FailureNotice);

const SourcesLine = lazyOrNothing(async () => (await import("./SourcesLine.tsx")).SourcesLine);
const HeldNotice = lazyOrNothing(async () => (await import("./HeldNotice.tsx")).HeldNotice);

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
      {message.quotedMsg && !message.isDeleted && <QuotedMessage quoted={message.quotedMsg} onJump={verbs.onJump} />}
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
