import { Dialog } from "#web/ui/dialogs/Dialog.tsx";
import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Download, X } from "lucide-react";
import { useState, useSyncExternalStore, type KeyboardEvent } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { media, size } from "#web/ui/theme.ts";
import { messageKeys, type MessagePages } from "../messages.cache.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { galleryOf } from "./gallery.ts";
import { MissingMedia } from "./MissingMedia.tsx";
import { RichText } from "../RichText.tsx";
import { unsignedText } from "../unsigned-text.ts";

/**
 * A picture or video in full size, or its waiting state while the file is missing. Arrow keys go to its neighbours;
 * Escape or a click beside it closes.
 */
export function Lightbox({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const t = useMessages(conversationMessages);
  const queryClient = useQueryClient();
  // live: pictures that are downloaded only now join their neighbours
  const pages = useSyncExternalStore(
    (listener) => queryClient.getQueryCache().subscribe(listener),
    () => queryClient.getQueriesData<MessagePages>({ queryKey: messageKeys.of(message.ticketId) })[0]?.[1],
  );
  const pictures = galleryOf(message, pages);
  const [shownId, setShownId] = useState(message.id);
  const at = pictures.findIndex(({ id }) => id === shownId);
  const shown = pictures[at] ?? message;
  // A tile opens before its file has come.
  const url = shown.media === null || shown.media.state === "ready" ? shown.mediaUrl : null;
  const text = unsignedText(shown);
  const go = (by: -1 | 1) => setShownId(pictures[at + by]?.id ?? shownId);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    // the arrow keys seek while a video player has the focus
    if (by !== undefined && !(event.target instanceof HTMLVideoElement)) {
      go(by as -1 | 1);
    }
  };

  return (
    <Dialog onClose={onClose} onKeyDown={onKeyDown} fills="always" aria-label={t("lightbox")}>
      <Stage>
        <CloseArea type="button" aria-hidden tabIndex={-1} onClick={onClose} />
        {url === null ? (
          <MissingMedia message={shown} />
        ) : shown.mediaType === "video" ? (
          <video key={shown.id} src={url} controls autoPlay aria-label={t("video")} />
        ) : (
          <img src={url} alt={text || t("photo")} />
        )}
        {text !== "" && (
          <p>
            <RichText text={text} />
          </p>
        )}
        {pictures.length > 1 && (
          <>
            <Side data-side="left">
              <IconButton label={t("previousPhoto")} disabled={at <= 0} onClick={() => go(-1)}>
                <ChevronLeft />
              </IconButton>
            </Side>
            <Side data-side="right">
              <IconButton label={t("nextPhoto")} disabled={at >= pictures.length - 1} onClick={() => go(1)}>
                <ChevronRight />
              </IconButton>
            </Side>
            <Position>{t("photoOf", { at: at + 1, count: pictures.length })}</Position>
          </>
        )}
        <Corner>
          {url !== null && (
            <a href={url} download={shown.media?.fileName ?? true} aria-label={t("download")}>
              <Download aria-hidden />
            </a>
          )}
          <IconButton label={t("close")} onClick={onClose}>
            <X />
          </IconButton>
        </Corner>
      </Stage>
    </Dialog>
  );
}

const Stage = styled("div")({
  position: "relative",
  flex: 1,
  minHeight: 0,
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  justifyContent: "center",
  gap: 12,
  padding: "56px 16px 24px",
  backgroundColor: "rgba(8, 12, 10, 0.94)",
  color: "#ffffff",
  "& img, & video": {
    maxWidth: "100%",
    maxHeight: "100%",
    minHeight: 0,
    objectFit: "contain",
    borderRadius: 6,
    cursor: "default",
    // above the area whose click closes
    position: "relative",
  },
  "& p": {
    position: "relative",
    maxWidth: 720,
    textAlign: "center",
    overflowWrap: "anywhere",
    unicodeBidi: "plaintext",
  },
});

const CloseArea = styled("button")({
  position: "absolute",
  inset: 0,
  border: 0,
  background: "none",
  cursor: "zoom-out",
});

const onDark = {
  "& a, & button": { display: "grid", placeItems: "center", width: 36, height: 36, borderRadius: 8, color: "#ffffff" },
  "& a:hover, & button:hover": { backgroundColor: "rgba(255, 255, 255, 0.14)", color: "#ffffff" },
  "& svg": { width: 18, height: 18 },
  [media.coarse]: { "& a, & button": { width: size.finger, height: size.finger } },
} as const;

const Corner = styled("div")({ position: "absolute", top: 10, right: 10, display: "flex", gap: 4, ...onDark });

const Side = styled("div")({
  ...onDark,
  position: "absolute",
  top: "50%",
  transform: "translateY(-50%)",
  borderRadius: 8,
  backgroundColor: "rgba(8, 12, 10, 0.5)",
  "&[data-side='left']": { left: 10 },
  "&[data-side='right']": { right: 10 },
});

const Position = styled("span")({
  position: "absolute",
  top: 18,
  left: 20,
  fontSize: 13,
  fontVariantNumeric: "tabular-nums",
});
