import { memo, type KeyboardEvent } from "react";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { Tooltip } from "#web/ui/Tooltip.tsx";
import { color, media } from "#web/ui/theme.ts";
import type { ComposerMode } from "./composer-focus.ts";
import { composerMessages } from "./composer.i18n.ts";

const modes = ["reply", "note"] as const satisfies readonly ComposerMode[];

/** Switches between a reply and a note, above the text; arrows move between the two. */
export const ModeSwitch = memo(function ModeSwitch(props: {
  readonly mode: ComposerMode;
  readonly onMode: (mode: ComposerMode) => void;
}) {
  const t = useMessages(composerMessages);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      const other = event.currentTarget.querySelector<HTMLElement>("[aria-selected=false]");
      other?.focus();
      props.onMode(props.mode === "reply" ? "note" : "reply");
    }
  };
  return (
    <Modes role="tablist" aria-label={t("mode")} onKeyDown={onKeyDown}>
      {modes.map((mode) => (
        <Tooltip key={mode} text={t(mode)} shortcut={mode === "note" ? shortcuts.note : undefined}>
          <button
            type="button"
            role="tab"
            aria-selected={mode === props.mode}
            tabIndex={mode === props.mode ? 0 : -1}
            onClick={() => props.onMode(mode)}
          >
            {t(mode)}
          </button>
        </Tooltip>
      ))}
    </Modes>
  );
});

const Modes = styled("div")({
  display: "flex",
  gap: 4,
  padding: "6px 8px 0",
  "& button": {
    minHeight: 24,
    padding: "2px 6px",
    border: 0,
    borderRadius: 6,
    background: "none",
    fontSize: 13,
    fontWeight: 600,
    color: color.ink2,
    cursor: "pointer",
  },
  "& button:hover": { color: color.ink },
  "& button[aria-selected='true']": { color: color.accent },
  [media.coarse]: { "& button": { minHeight: 44, padding: "2px 10px" } },
});
