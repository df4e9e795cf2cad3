import { Dialog } from "#web/ui/Dialog.tsx";
import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { Download, X } from "lucide-react";
import { useMessages } from "#web/lib/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { conversationMessages } from "./messages.i18n.ts";

/** A picture as large as the window; Escape or a click beside it closes. */
export function Lightbox({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const t = useMessages(conversationMessages);
  const url = message.mediaUrl;
  return (
    <Dialog
      open={Boolean(url)}
      onClose={onClose}
      fullScreen
      aria-label={t("lightbox")}
      slotProps={{ paper: { sx: { backgroundColor: "rgba(8, 12, 10, 0.94)" } } }}
    >
      {url && (
        <Stage>
          <Beside type="button" aria-hidden tabIndex={-1} onClick={onClose} />
          <img src={url} alt={message.body || t("photo")} />
          {message.body !== "" && <p>{message.body}</p>}
          <Corner>
            <a href={url} download={message.media?.fileName ?? true} aria-label={t("download")}>
              <Download aria-hidden />
            </a>
            <IconButton label={t("close")} onClick={onClose}>
              <X />
            </IconButton>
          </Corner>
        </Stage>
      )}
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
  color: "#ffffff",
  "& img": {
    maxWidth: "100%",
    maxHeight: "100%",
    minHeight: 0,
    objectFit: "contain",
    borderRadius: 6,
    cursor: "default",
  },
  "& p": { maxWidth: 720, textAlign: "center", overflowWrap: "anywhere" },
});

const Beside = styled("button")({ position: "absolute", inset: 0, border: 0, background: "none", cursor: "zoom-out" });

const Corner = styled("div")({
  position: "absolute",
  top: 10,
  right: 10,
  display: "flex",
  gap: 4,
  "& a, & button": { display: "grid", placeItems: "center", width: 36, height: 36, borderRadius: 8, color: "#ffffff" },
  "& a:hover, & button:hover": { backgroundColor: "rgba(255, 255, 255, 0.14)", color: "#ffffff" },
  "& svg": { width: 18, height: 18 },
});
