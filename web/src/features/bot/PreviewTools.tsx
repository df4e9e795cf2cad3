import { CheckCheck, ClockArrowUp, DoorClosed, Image, Mic, Sticker } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { botMessages } from "./bot.i18n.ts";
import type { PreviewEvent } from "./preview-turns.ts";

interface PreviewToolsProps {
  /** What is written in the field: the caption of a photo. */
  readonly caption: string;
  readonly isClosed: boolean;
  /** A conversation has begun: time can pass in it, and an agent can resolve it. */
  readonly hasBegun: boolean;
  readonly isResolved: boolean;
  readonly onPlay: (happened: PreviewEvent) => void;
  readonly onClosedChange: (isClosed: boolean) => void;
}

/** What the customer can send besides a text, and what can happen to the conversation. */
export function PreviewTools({ caption, isClosed, hasBegun, isResolved, onPlay, onClosedChange }: PreviewToolsProps) {
  const t = useMessages(botMessages);
  const send = (kind: "image" | "audio" | "sticker", text = "") => onPlay({ event: "message", kind, text });
  return (
    <Root>
      <div role="group" aria-label={t("customerSends")}>
        <button type="button" onClick={() => send("image", caption)}>
          <Image aria-hidden />
          {t(caption === "" ? "image" : "imageWithCaption")}
        </button>
        <button type="button" onClick={() => send("audio")}>
          <Mic aria-hidden />
          {t("audio")}
        </button>
        <button type="button" onClick={() => send("sticker")}>
          <Sticker aria-hidden />
          {t("sticker")}
        </button>
      </div>
      <div role="group" aria-label={t("happens")}>
        <button type="button" disabled={!hasBegun} onClick={() => onPlay({ event: "hourLater" })}>
          <ClockArrowUp aria-hidden />
          {t("hourLater")}
        </button>
        <button type="button" aria-pressed={isClosed} onClick={() => onClosedChange(!isClosed)}>
          <DoorClosed aria-hidden />
          {t("closedNow")}
        </button>
        <button type="button" disabled={!hasBegun || isResolved} onClick={() => onPlay({ event: "resolved" })}>
          <CheckCheck aria-hidden />
          {t("resolve")}
        </button>
      </div>
    </Root>
  );
}

const Root = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 6,
  padding: "8px 8px 0",
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  "& > div": { display: "flex", flexWrap: "wrap", gap: 4 },
  "& button": {
    display: "inline-flex",
    alignItems: "center",
    gap: 4,
    minHeight: 26,
    padding: "2px 8px",
    border: `1px solid ${color.line}`,
    borderRadius: 13,
    backgroundColor: color.panel,
    color: color.ink,
    fontSize: 12,
    cursor: "pointer",
    "&:hover": { backgroundColor: color.hover, borderColor: color.lineStrong },
    "&[aria-pressed='true']": { backgroundColor: color.accentSoft, borderColor: color.accent, color: color.accent },
    "&:disabled": { cursor: "default", opacity: 0.6 },
    [media.coarse]: { minHeight: 44, borderRadius: 22 },
  },
  "& svg": { width: 14, height: 14, strokeWidth: 1.75 },
});
