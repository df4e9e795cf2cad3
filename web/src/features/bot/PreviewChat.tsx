import { FileText, Image, Play } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { RichText } from "#web/features/messages/index.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import { styled } from "#web/ui/styled.ts";
import { Bubble as TalkBubble } from "#web/ui/TestTalk.tsx";
import { color, visuallyHidden } from "#web/ui/theme.ts";
import { botMessages } from "./bot.i18n.ts";
import { linesOf, type CustomerKind, type PreviewAnswer, type PreviewLine, type PreviewTurn } from "./preview-turns.ts";

/** The conversation on the preview's phone, read out as it grows. */
export function PreviewChat({
  turns,
  isPlaying,
}: {
  readonly turns: readonly PreviewTurn[];
  readonly isPlaying: boolean;
}) {
  const t = useMessages(botMessages);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [turns, isPlaying]);
  return (
    <Scroller ref={scroller} role="log" aria-label={t("preview")} aria-busy={isPlaying} tabIndex={0}>
      {turns.length === 0 && (
        <Note>
          {t("previewHint")} {t("empty")}
        </Note>
      )}
      {linesOf(turns).map((line, index) => (
        <ChatLine key={index} line={line} />
      ))}
      {isPlaying && (
        <Typing aria-hidden>
          <i />
          <i />
          <i />
        </Typing>
      )}
    </Scroller>
  );
}

function ChatLine({ line }: { readonly line: PreviewLine }) {
  const t = useMessages(botMessages);
  switch (line.by) {
    case "clock":
      return <Clock at={line.at} isHourLater={line.isHourLater} />;
    case "customer":
      return <CustomerBubble kind={line.kind} text={line.text} />;
    case "bot":
      return <BotBubble message={line.message} />;
    case "silence":
      return <Note>{t(line.reason, { name: line.assistant ?? t("anAssistant") })}</Note>;
    case "failure":
      return <Failure>{t("failed")}</Failure>;
    case "agent":
      return <Note>{t("resolvedByAgent")}</Note>;
    case "reopening":
      return <Note>{t("reopened")}</Note>;
    case "rating":
      return (
        <Note>
          <b>{t("rated", { rating: line.rating })}</b>
        </Note>
      );
    case "status":
      return <Status line={line} />;
  }
}

/** The time of the conversation: with the day where it is not today. */
function Clock({ at, isHourLater }: { readonly at: Date; readonly isHourLater: boolean }) {
  const t = useMessages(botMessages);
  const format = useFormat();
  const isToday = format.date(at) === format.date(serverNow());
  const time = isToday ? format.time(at) : `${format.date(at)} ${format.time(at)}`;
  return (
    <Separator>
      <time dateTime={at.toISOString()}>{isHourLater ? t("timeHourLater", { time }) : time}</time>
    </Separator>
  );
}

function CustomerBubble({ kind, text }: { readonly kind: CustomerKind; readonly text: string }) {
  const t = useMessages(botMessages);
  return (
    <Bubble data-own data-kind={kind}>
      <Hidden>{t("you")}: </Hidden>
      {kind !== "text" && (
        <>
          <Hidden>{t(kind)} </Hidden>
          {drawings[kind]}
        </>
      )}
      {text !== "" && <p>{text}</p>}
    </Bubble>
  );
}

function BotBubble({ message }: { readonly message: PreviewAnswer["messages"][number] }) {
  const t = useMessages(botMessages);
  const { text, mediaName, mediaUrl, mediaType } = message;
  return (
    <Bubble>
      <Hidden>{t("bot")}: </Hidden>
      {mediaName && (
        <a href={mediaUrl ?? undefined} target="_blank" rel="noopener noreferrer">
          {mediaUrl !== null && mediaType?.startsWith("image/") ? (
            <img src={mediaUrl} alt={mediaName} />
          ) : (
            <>
              <FileText aria-hidden size={15} />
              {mediaName}
            </>
          )}
        </a>
      )}
      {text && <RichText text={text} />}
    </Bubble>
  );
}

/** The queue and who has the conversation, where that changed. */
function Status({ line }: { readonly line: Extract<PreviewLine, { by: "status" }> }) {
  const t = useMessages(botMessages);
  const { outcome, queue, assistant } = line;
  return (
    <Note>
      {queue && (
        <span>
          <ColorDot tint={queue.color} size={8} /> {t("inQueue", { name: queue.name })}
        </span>
      )}
      {outcome === "person" && <b>{t("person")}</b>}
      {outcome === "assistant" && <b>{t("assistant", { name: assistant ?? t("anAssistant") })}</b>}
    </Note>
  );
}

const Scroller = styled("div")({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  gap: 6,
  minHeight: 0,
  padding: 12,
  overflowY: "auto",
});
const Hidden = styled("span")(visuallyHidden);
const Bubble = styled(TalkBubble)({
  // the hidden words are placed in the bubble, not at the top of the log
  position: "relative",
  whiteSpace: "normal",
  "&[data-kind='image']": { padding: 4, "& > p": { padding: "4px 6px 2px" } },
  "&[data-kind='sticker']": { padding: 0, border: 0, background: "none" },
  "& > a": { display: "flex", alignItems: "center", gap: 6, marginBottom: 4, color: color.accent, fontWeight: 500 },
  "& img": { maxWidth: "100%", maxHeight: 220, borderRadius: 8 },
});
const Note = styled("div")({
  alignSelf: "center",
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "center",
  gap: "2px 10px",
  padding: "4px 12px",
  fontSize: 12,
  textAlign: "center",
  color: color.ink2,
  "& span": { display: "inline-flex", alignItems: "center", gap: 5 },
});
const Failure = styled(Note)({ color: color.danger });
/** The bot's dots while its answer is on the way; a quick answer comes before they are seen. */
const Typing = styled(Bubble)({
  display: "flex",
  gap: 4,
  padding: "10px 12px",
  animation: "prosa-rise 120ms ease-out 300ms backwards",
  "& i": {
    width: 6,
    height: 6,
    borderRadius: 3,
    backgroundColor: color.ink2,
    animation: "prosa-pulse 1.2s ease-in-out infinite",
  },
  "& i:nth-of-type(2)": { animationDelay: "150ms" },
  "& i:nth-of-type(3)": { animationDelay: "300ms" },
});
const Separator = styled("div")({
  alignSelf: "center",
  margin: "4px 0",
  padding: "2px 10px",
  borderRadius: 8,
  fontSize: 11,
  backgroundColor: color.chip,
  color: color.ink2,
});
const Picture = styled("span")({
  display: "grid",
  placeItems: "center",
  width: 168,
  maxWidth: "100%",
  height: 104,
  borderRadius: 8,
  backgroundColor: color.panel,
  color: color.accent,
});
const Voice = styled("span")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  minWidth: 150,
  color: color.accent,
  "& > span": { fontSize: 11, color: color.ink2 },
  // the sound drawn as bars
  "& > i": {
    flex: 1,
    height: 14,
    background: "repeating-linear-gradient(90deg, currentColor 0 2px, transparent 2px 5px)",
    clipPath:
      "polygon(0 40%, 12% 0, 24% 55%, 38% 10%, 52% 60%, 66% 5%, 80% 50%, 100% 30%, 100% 70%, 80% 50%, 66% 95%, 52% 60%, 38% 90%, 24% 55%, 12% 100%, 0 60%)",
  },
});
const StickerPicture = styled("span")({ display: "block", fontSize: 56, lineHeight: 1.15 });

/** Media are only drawn: the bot knows their kind, not what they show. */
const drawings: Readonly<Record<Exclude<CustomerKind, "text">, ReactNode>> = {
  image: (
    <Picture aria-hidden>
      <Image size={28} strokeWidth={1.5} />
    </Picture>
  ),
  audio: (
    <Voice aria-hidden>
      <Play size={16} />
      <i />
      <span>0:07</span>
    </Voice>
  ),
  document: <FileText aria-hidden size={15} />,
  sticker: <StickerPicture aria-hidden>😄</StickerPicture>,
};
