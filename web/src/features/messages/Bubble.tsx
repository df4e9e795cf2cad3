import { styled } from "#web/ui/styled.ts";
import { messageRules, type Message } from "@prosa/contract/messages";
import { ChevronDown, Copy, History, Pencil, Reply, RotateCw, Trash2 } from "lucide-react";
import { memo } from "react";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color, media } from "#web/ui/theme.ts";
import { tintOf } from "#web/ui/Avatar.tsx";
import { Ack } from "./Ack.tsx";
import { BubbleContent, type BubbleContentProps } from "./BubbleContent.tsx";
import { conversationMessages } from "./messages.i18n.ts";

/** The reactions that WhatsApp itself offers first. */
export const quickReactions = ["👍", "❤️", "😂", "😮", "😢", "🙏"] as const;

export interface BubbleVerbs extends Pick<BubbleContentProps, "onOpenPhoto" | "onRefetch" | "onStartConversation"> {
  readonly onQuote: (message: Message) => void;
  readonly onEdit: (message: Message) => void;
  readonly onRemove: (message: Message) => void;
  readonly onRetry: (message: Message) => void;
  readonly onReact: (message: Message, emoji: string) => void;
  readonly onHistory: (message: Message) => void;
  readonly onJump: (messageId: number) => void;
}

export interface BubbleProps {
  readonly message: Message;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isGroup: boolean;
  readonly isLit: boolean;
  /** May this person write here? Otherwise the bubble only shows. */
  readonly canWrite: boolean;
  readonly verbs: BubbleVerbs;
}

/** One message: own at the right, the contact's at the left. */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { message, verbs } = props;
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const actions = useActions(props);
  const side = message.fromMe ? "own" : "theirs";

  return (
    <Row data-side={side} data-last={props.isLast || undefined} data-message={message.id}>
      <Box data-side={side} data-first={props.isFirst || undefined} data-lit={props.isLit || undefined}>
        {message.isAutomatic && <Author>{t("automatic")}</Author>}
        {props.isGroup && !message.fromMe && props.isFirst && message.participant && (
          <Author style={{ color: tintOf(message.participant.name) }}>
            {message.participant.name || message.participant.number}
          </Author>
        )}
        {message.quotedMsg && !message.isDeleted && (
          <Quoted
            type="button"
            aria-label={t("jump")}
            onClick={() => message.quotedMsg && verbs.onJump(message.quotedMsg.id)}
          >
            <b>{message.quotedMsg.fromMe ? t("you") : (message.quotedMsg.contact?.name ?? "")}</b>
            <span>{message.quotedMsg.isDeleted ? t("deleted") : quotedText(message.quotedMsg, t)}</span>
          </Quoted>
        )}
        <Body>
          <BubbleContent
            message={message}
            onOpenPhoto={verbs.onOpenPhoto}
            onRefetch={verbs.onRefetch}
            onStartConversation={verbs.onStartConversation}
          />
        </Body>
        <Meta>
          {message.isEdited && !message.isDeleted && (
            <button type="button" onClick={() => verbs.onHistory(message)} aria-label={t("history")}>
              {t("edited")} ·
            </button>
          )}
          <time dateTime={message.createdAt}>{format.time(message.createdAt)}</time>
          {message.fromMe && <Ack ack={message.ack} />}
        </Meta>
        {message.ack < 0 && (
          <Failed role="alert">
            {t(failureOf(message.failReason))}
            {props.canWrite && (
              <button type="button" onClick={() => verbs.onRetry(message)}>
                <RotateCw aria-hidden /> {t("retry")}
              </button>
            )}
          </Failed>
        )}
        {actions.length > 0 && (
          <Tools data-side={side}>
            <ActionMenu
              actions={actions}
              header={
                props.canWrite ? (
                  <Reactions>
                    {quickReactions.map((emoji) => (
                      <button
                        key={emoji}
                        type="button"
                        aria-label={t("reactWith", { emoji })}
                        onClick={() => verbs.onReact(message, emoji)}
                      >
                        {emoji}
                      </button>
                    ))}
                  </Reactions>
                ) : undefined
              }
              opener={(opener) => (
                <IconButton size="small" label={t("actions")} {...opener}>
                  <ChevronDown />
                </IconButton>
              )}
            />
          </Tools>
        )}
        {message.reactions.length > 0 && (
          <Reacted>
            {message.reactions.map((reaction, index) => (
              <span key={index} title={reaction.fromMe ? t("you") : reaction.name}>
                {reaction.emoji}
              </span>
            ))}
          </Reacted>
        )}
      </Box>
    </Row>
  );
});

function useActions({ message, verbs, canWrite }: BubbleProps): MenuAction[] {
  const t = useMessages(conversationMessages);
  if (message.isDeleted) {
    return [];
  }
  const age = Date.now() - Date.parse(message.createdAt);
  const isSent = message.fromMe && message.ack > 0;
  const mine = message.reactions.some((reaction) => reaction.fromMe);
  const copy: MenuAction = {
    key: "copy",
    label: t("copy"),
    icon: <Copy />,
    onSelect: () => void navigator.clipboard.writeText(message.body).then(() => toast.success(t("copied"))),
  };
  return [
    ...(canWrite ? [{ key: "quote", label: t("quote"), icon: <Reply />, onSelect: () => verbs.onQuote(message) }] : []),
    ...(message.body === "" ? [] : [copy]),
    ...(canWrite && mine
      ? [{ key: "unreact", label: t("unreact"), icon: <RotateCw />, onSelect: () => verbs.onReact(message, "") }]
      : []),
    ...(message.isEdited
      ? [{ key: "history", label: t("history"), icon: <History />, onSelect: () => verbs.onHistory(message) }]
      : []),
    ...(canWrite && isSent && message.mediaType === "chat" && age < messageRules.editWithinMs
      ? [{ key: "edit", label: t("edit"), icon: <Pencil />, onSelect: () => verbs.onEdit(message) }]
      : []),
    ...(canWrite && isSent && age < messageRules.deleteWithinMs
      ? [
          {
            key: "remove",
            label: t("remove"),
            icon: <Trash2 />,
            isDangerous: true,
            onSelect: () => verbs.onRemove(message),
          },
        ]
      : []),
  ];
}

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

/** What a quotation shows of the message it is about. */
export function quotedText(message: Pick<Message, "body" | "mediaType">, t: Words): string {
  if (message.body !== "" && message.mediaType !== "vcard") {
    return message.body;
  }
  return message.mediaType in kindWords ? t(kindWords[message.mediaType as keyof typeof kindWords]) : message.body;
}

const failures = ["notConnected", "timeout", "refused", "limited", "invalidContact", "file", "unknown"] as const;

function failureOf(reason: string | null): `fail_${(typeof failures)[number]}` {
  const known = failures.find((failure) => failure === reason);
  return `fail_${known ?? "unknown"}`;
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
});

const Author = styled("div")({ fontSize: 12, fontWeight: 500, color: color.ink2, marginBottom: 1 });
const Body = styled("div")({ overflowWrap: "anywhere", whiteSpace: "pre-wrap" });

const Meta = styled("div")({
  display: "flex",
  justifyContent: "flex-end",
  alignItems: "center",
  gap: 4,
  marginTop: 1,
  fontSize: 11,
  color: color.ink2,
  "& button": { border: 0, padding: 0, background: "none", fontSize: 11, color: "inherit", cursor: "pointer" },
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

const Failed = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 8,
  marginTop: 2,
  fontSize: 12,
  color: color.danger,
  "& button": {
    display: "inline-flex",
    alignItems: "center",
    gap: 4,
    border: 0,
    padding: "2px 4px",
    background: "none",
    color: "inherit",
    fontWeight: 600,
    cursor: "pointer",
    textDecoration: "underline",
  },
  "& svg": { width: 12, height: 12 },
});

const Tools = styled("div")({
  position: "absolute",
  top: 2,
  borderRadius: 8,
  backgroundColor: color.raised,
  border: `1px solid ${color.line}`,
  opacity: 0,
  "&[data-side='own']": { left: -34 },
  "&[data-side='theirs']": { right: -34 },
  "div:hover > &, &:focus-within": { opacity: 1 },
  "@media (hover: none)": { opacity: 0.9 },
});

const Reactions = styled("div")({
  display: "flex",
  gap: 2,
  "& button": {
    width: 34,
    height: 34,
    border: 0,
    borderRadius: 8,
    background: "none",
    fontSize: 18,
    cursor: "pointer",
  },
  "& button:hover": { backgroundColor: color.hover },
});

const Reacted = styled("div")({
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
