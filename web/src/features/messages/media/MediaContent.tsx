import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { Download, FileText } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { FileLink, Stack } from "../content-styles.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { MissingMedia } from "./MissingMedia.tsx";
import { RichText } from "../RichText.tsx";
import { unsignedText } from "../unsigned-text.ts";

const AudioPlayer = lazyOrNothing(async () => (await import("./AudioPlayer.tsx")).AudioPlayer);

export interface MediaContentProps {
  readonly message: Message;
  readonly onOpenPhoto: (message: Message) => void;
  /** Asks the server to download the file again. */
  readonly onRefetch: (message: Message) => void;
}

/** A picture, sticker, video, audio or document with its caption, or what is known while its file is missing (M-04). */
export function MediaContent({ message, onOpenPhoto, onRefetch }: MediaContentProps) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const { media, mediaUrl } = message;
  const caption =
    message.body === "" || message.body === media?.fileName ? null : <RichText text={unsignedText(message)} />;
  const fileName = media?.fileName ?? t("document");

  if (mediaUrl === null || (media !== null && media.state !== "ready")) {
    return (
      <Stack>
        <MissingMedia message={message} onRefetch={onRefetch} />
        {caption}
      </Stack>
    );
  }
  const withCaption = (content: ReactNode) => (
    <Stack>
      {content}
      {caption}
    </Stack>
  );
  switch (message.mediaType) {
    case "image":
    case "sticker": {
      const isSticker = message.mediaType === "sticker";
      return withCaption(
        <PhotoButton
          type="button"
          aria-label={t("openPhoto")}
          onClick={() => onOpenPhoto(message)}
          data-sticker={isSticker || undefined}
        >
          <img
            src={mediaUrl}
            alt={unsignedText(message) || t(isSticker ? "sticker" : "photo")}
            loading="lazy"
            decoding="async"
            style={reservedSize(media, isSticker ? 160 : 320)}
          />
        </PhotoButton>,
      );
    }
    case "video":
      return withCaption(
        <video src={mediaUrl} controls preload="metadata" style={reservedSize(media, 320)} aria-label={t("video")} />,
      );
    case "audio":
      return withCaption(
        // as tall as the player: no layout shift when it loads
        <Suspense fallback={<Skeleton style={{ width: 300, height: 38 }} />}>
          <AudioPlayer
            url={mediaUrl}
            seconds={media?.seconds ?? null}
            waveform={media?.waveform ?? null}
            transcript={message.transcript}
          />
        </Suspense>,
      );
    default:
      return withCaption(
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

/** Reserves the size of a picture before it is loaded: no layout shift. */
function reservedSize(media: Message["media"], widest: number) {
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
