import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { memo } from "react";
import { useMessages } from "#web/lib/i18n.ts";
import { withoutMarks } from "#web/lib/plain-text.ts";
import { color } from "#web/ui/theme.ts";
import { BubbleContent, type BubbleContentProps } from "./BubbleContent.tsx";
import { BubbleFrame, BubbleMeta, Reacted, type FrameProps } from "./BubbleFrame.tsx";
import { FailedNote } from "./FailedNote.tsx";
import { conversationMessages } from "./messages.i18n.ts";
import { MessageTools, type MessageVerbs } from "./MessageTools.tsx";
import { shownOnHover, useHold } from "./useHold.ts";

export interface BubbleVerbs
  extends MessageVerbs, Pick<BubbleContentProps, "onOpenPhoto" | "onRefetch" | "onStartConversation"> {
  readonly onRetry: (message: Message) => void;
  readonly onJump: (messageId: number) => void;
}

export interface BubbleProps extends Omit<FrameProps, "children" | "held"> {
  /** May this person write here? Otherwise the bubble only shows. */
  readonly canWrite: boolean;
  readonly verbs: BubbleVerbs;
}

/** One message: own at the right, the contact's at the left. */
export const Bubble = memo(function Bubble({ verbs, canWrite, ...frame }: BubbleProps) {
  const { message } = frame;
  const t = useMessages(conversationMessages);
  const { tools, held } = useHold();
  const isText = message.mediaType === "chat" && !message.isDeleted;
  const meta = <BubbleMeta message={message} onHistory={verbs.onHistory} />;

  return (
    <BubbleFrame {...frame} held={held}>
      {message.quotedMsg && !message.isDeleted && (
        <Quoted
          type="button"
          aria-label={t("jump")}
          onClick={() => message.quotedMsg && verbs.onJump(message.quotedMsg.id)}
        >
          <b>{quotedAuthor(message.quotedMsg, t)}</b>
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
      <FailedNote message={message} canWrite={canWrite} onRetry={verbs.onRetry} />
      <Tools ref={tools} data-side={message.fromMe ? "own" : "theirs"}>
        <MessageTools message={message} canWrite={canWrite} verbs={verbs} />
      </Tools>
      <Reacted reactions={message.reactions} />
    </BubbleFrame>
  );
});

type Words = ReturnType<typeof useMessages<(typeof conversationMessages)["pt"]>>;

const kindWords = {
  image: "photo",
  video: "video",
  audio: "audio",
  application: "document",
  sticker: "sticker",
  locationMessage: "location",
  vcard: "contact",
} as const;

/** Whose words a quotation shows: in a group the person's, not the group's. */
export function quotedAuthor(
  { fromMe, participant, contact }: Pick<Message, "fromMe" | "participant" | "contact">,
  t: Words,
) {
  return fromMe ? t("you") : participant?.name || participant?.number || (contact?.name ?? "");
}

/** What a quotation shows of the message it is about. */
export function quotedText(message: Pick<Message, "body" | "mediaType">, t: Words): string {
  // the text of an audio is the name of its file
  if (message.body !== "" && message.mediaType !== "vcard" && message.mediaType !== "audio") {
    return withoutMarks(message.body);
  }
  return message.mediaType in kindWords ? t(kindWords[message.mediaType as keyof typeof kindWords]) : message.body;
}

const Body = styled("div")({ display: "flow-root", overflowWrap: "anywhere", whiteSpace: "pre-wrap" });

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

const Tools = styled("div")({
  position: "absolute",
  top: 2,
  borderRadius: 8,
  backgroundColor: color.raised,
  border: `1px solid ${color.line}`,
  "&:empty": { display: "none" },
  "&[data-side='own']": { left: -34 },
  "&[data-side='theirs']": { right: -34 },
  ...shownOnHover,
});
