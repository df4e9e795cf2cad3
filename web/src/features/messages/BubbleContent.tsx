import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { Ban, Download, FileText, RotateCw } from "lucide-react";
import { lazy, Suspense, type ReactNode } from "react";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { FileLink, Quiet, Stack } from "./content-parts.ts";
import { conversationMessages } from "./messages.i18n.ts";
import { RichText } from "./RichText.tsx";

const SpecialContent = lazy(async () => ({ default: (await import("./SpecialContent.tsx")).SpecialContent }));
const AudioPlayer = lazy(async () => ({ default: (await import("./AudioPlayer.tsx")).AudioPlayer }));

export interface BubbleContentProps {
  readonly message: Message;
  readonly onOpenPhoto: (message: Message) => void;
  readonly onRefetch: (message: Message) => void;
  readonly onStartConversation?: ((name: string, number: string) => void) | undefined;
}

/** What is inside a bubble, by the kind of message (M-04). */
export function BubbleContent(props: BubbleContentProps) {
  const t = useMessages(conversationMessages);
  const { message } = props;
  if (message.isDeleted) {
    return (
      <Quiet>
        <Ban aria-hidden /> {t("deleted")}
      </Quiet>
    );
  }
  switch (message.mediaType) {
    case "chat":
      return <RichText text={message.body} />;
    case "locationMessage":
    case "vcard":
    case "call_log":
    case "unsupported":
      return (
        // as tall as what comes
        <Suspense fallback={<Skeleton style={{ width: 240, height: isLine(message) ? 20 : 54 }} />}>
          <SpecialContent {...props} />
        </Suspense>
      );
    default:
      return <Media {...props} />;
  }
}

function isLine({ mediaType }: Message): boolean {
  return mediaType === "call_log" || mediaType === "unsupported";
}

function Media({ message, onOpenPhoto, onRefetch }: BubbleContentProps) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const { media, mediaUrl } = message;
  const caption = message.body === "" || message.body === media?.fileName ? null : <RichText text={message.body} />;
  const fileName = media?.fileName ?? t("document");

  if (mediaUrl === null || (media !== null && media.state !== "ready")) {
    return (
      <Stack>
        <MissingMedia message={message} onRefetch={onRefetch} />
        {caption}
      </Stack>
    );
  }
  const inFrame = (content: ReactNode) => (
    <Stack>
      {content}
      {caption}
    </Stack>
  );
  switch (message.mediaType) {
    case "image":
    case "sticker": {
      const isSticker = message.mediaType === "sticker";
      return inFrame(
        <PhotoButton
          type="button"
          aria-label={t("openPhoto")}
          onClick={() => onOpenPhoto(message)}
          data-sticker={isSticker || undefined}
        >
          <img
            src={mediaUrl}
            alt={message.body || t(isSticker ? "sticker" : "photo")}
            loading="lazy"
            decoding="async"
            style={frameOf(media, isSticker ? 160 : 320)}
          />
        </PhotoButton>,
      );
    }
    case "video":
      return inFrame(
        <video src={mediaUrl} controls preload="metadata" style={frameOf(media, 320)} aria-label={t("video")} />,
      );
    case "audio":
      return inFrame(
        // as tall as the player, so that nothing moves when it comes
        <Suspense fallback={<Skeleton style={{ width: 300, height: 38 }} />}>
          <AudioPlayer url={mediaUrl} seconds={media?.seconds ?? null} />
        </Suspense>,
      );
    default:
      return inFrame(
        <FileLink href={mediaUrl} download={fileName} target="_blank" rel="noopener">
          <FileText aria-hidden />
          <span>
            <b title={fileName}>{fileName}</b>
            <small>
              {[extensionOf(fileName, media?.mimeType), media?.size ? format.bytes(media.size) : ""]
                .filter(Boolean)
                .join(" · ")}
            </small>
          </span>
          <Download aria-label={t("download")} />
        </FileLink>,
      );
  }
}

/** The file is on its way, or did not come: the message is here all the same (behaviour 3). */
function MissingMedia({ message, onRefetch }: Pick<BubbleContentProps, "message" | "onRefetch">) {
  const t = useMessages(conversationMessages);
  const state = message.media?.state;
  const isComing = state === "wanted" || state === "fetching";
  const thumbnail = message.media?.thumbnail;
  return (
    <Missing style={thumbnail ? { backgroundImage: `url(${thumbnail})` } : undefined}>
      <span role="status">
        {isComing ? (
          <>
            <Spinner aria-hidden /> {t("waitingMedia")}
          </>
        ) : (
          t(state === "expired" ? "expiredMedia" : "failedMedia")
        )}
      </span>
      {!isComing && !message.fromMe && (
        <Button icon={<RotateCw size={14} />} onClick={() => onRefetch(message)}>
          {t("fetchMedia")}
        </Button>
      )}
    </Missing>
  );
}

/** Keeps the room of a picture before it is there, so that nothing jumps. */
function frameOf(media: Message["media"], widest: number) {
  const { width, height } = media ?? {};
  return width && height
    ? { width: Math.min(widest, width), aspectRatio: `${width} / ${height}`, maxHeight: 360 }
    : { width: widest, maxHeight: 360 };
}

function extensionOf(fileName: string, mimeType: string | null | undefined): string {
  const ending = /\.(\w{1,8})$/u.exec(fileName)?.[1] ?? mimeType?.split("/")[1] ?? "";
  return ending.toUpperCase();
}

const PhotoButton = styled("button")({
  display: "block",
  maxWidth: "100%",
  padding: 0,
  border: 0,
  borderRadius: 8,
  overflow: "hidden",
  background: color.chip,
  cursor: "zoom-in",
  "&[data-sticker]": { background: "none" },
  "& img": { display: "block", maxWidth: "100%", objectFit: "cover" },
  "&[data-sticker] img": { objectFit: "contain" },
});

const Missing = styled("div")({
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  justifyContent: "center",
  gap: 10,
  width: 260,
  maxWidth: "100%",
  minHeight: 96,
  padding: 12,
  borderRadius: 8,
  backgroundColor: color.chip,
  backgroundSize: "cover",
  backgroundPosition: "center",
  "& > span": {
    display: "inline-flex",
    alignItems: "center",
    gap: 8,
    padding: "4px 10px",
    borderRadius: 14,
    fontSize: 12,
    textAlign: "center",
    backgroundColor: color.raised,
    color: color.ink2,
  },
});
