import type { Help } from "@prosa/contract/helps";
import { useEffect, useRef } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { helpMessages } from "./helps.i18n.ts";
import { watchUrl, embedUrl } from "./video.ts";

/** Plays a help video in a dialog; Escape closes it (Y-03). */
export function VideoPlayer({ help, onClose }: { readonly help: Help; readonly onClose: () => void }) {
  const t = useMessages(helpMessages);
  const frame = useFocusReturn();
  return (
    <InfoDialog title={help.title} width="md" onClose={onClose}>
      {/* YouTube refuses an embedded player without a referrer */}
      <Player
        ref={frame}
        title={help.title}
        src={embedUrl(help.video)}
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
      />
      {help.description && <Description>{help.description}</Description>}
      <p>
        <a href={watchUrl(help.video)} target="_blank" rel="noopener noreferrer">
          {t("watchThere")}
        </a>
      </p>
    </InfoDialog>
  );
}

/** The iframe may get the focus some moments after the window loses it: it runs in another process. */
const LATE_MS = 250;

/**
 * Returns the focus to the dialog after a click into the iframe, which would keep the keyboard, so that Escape closes the
 * dialog. Focus that entered by Tab stays in the iframe.
 */
function useFocusReturn() {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    let isTabbing = false;
    const onKey = ({ type, key }: KeyboardEvent) => (isTabbing = type === "keydown" && key === "Tab");
    const returnFocus = () => {
      const player = frame.current;
      if (player && document.activeElement === player && !isTabbing) {
        player.closest<HTMLElement>("[role=group]")?.focus({ preventScroll: true });
      }
    };
    const onBlur = () => [0, LATE_MS].forEach((ms) => setTimeout(returnFocus, ms));
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("keyup", onKey, true);
    window.addEventListener("blur", onBlur);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("keyup", onKey, true);
      window.removeEventListener("blur", onBlur);
    };
  }, []);
  return frame;
}

const Player = styled("iframe")({
  display: "block",
  width: "100%",
  aspectRatio: "16 / 9",
  flex: "none",
  border: 0,
  borderRadius: 8,
  backgroundColor: color.chip,
});
const Description = styled("p")({ whiteSpace: "pre-line", overflowWrap: "anywhere", color: color.ink2 });
