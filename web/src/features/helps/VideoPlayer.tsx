import type { Help } from "@prosa/contract/helps";
import { useEffect, useRef } from "react";
import { useMessages } from "#web/lib/i18n.ts";
import { InfoDialog } from "#web/ui/InfoDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { helpMessages } from "./helps.i18n.ts";
import { watchUrl, embedUrl } from "./video.ts";

/** A help video over the page; Escape closes it (Y-03). */
export function VideoPlayer({ help, onClose }: { readonly help: Help; readonly onClose: () => void }) {
  const t = useMessages(helpMessages);
  const frame = useFocusReturn();
  return (
    <InfoDialog title={help.title} width="md" onClose={onClose}>
      {/* the service refuses players whose page does not say where it is */}
      <Player
        ref={frame}
        title={help.title}
        src={embedUrl(help.video)}
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
      />
      {help.description && <Words>{help.description}</Words>}
      <p>
        <a href={watchUrl(help.video)} target="_blank" rel="noopener noreferrer">
          {t("watchThere")}
        </a>
      </p>
    </InfoDialog>
  );
}

/** The frame may have the focus only some moments after the window lost it: it belongs to another process. */
const LATE_MS = 250;

/**
 * A click into a frame of others takes the keys with it, and Escape would close nothing. So they come back after a
 * click; whoever went in by Tab stays in.
 */
function useFocusReturn() {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    let isTabbing = false;
    const onKey = ({ type, key }: KeyboardEvent) => (isTabbing = type === "keydown" && key === "Tab");
    const takeBack = () => {
      const player = frame.current;
      if (player && document.activeElement === player && !isTabbing) {
        player.closest<HTMLElement>("[role=group]")?.focus({ preventScroll: true });
      }
    };
    const onBlur = () => [0, LATE_MS].forEach((ms) => setTimeout(takeBack, ms));
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
const Words = styled("p")({ whiteSpace: "pre-line", overflowWrap: "anywhere", color: color.ink2 });
