import type { QuickMessage } from "@prosa/contract/quick-messages";
import { Paperclip, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { hasHardwareKeyboard } from "#web/lib/browser/hardware-keyboard.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { quickReplyMessages } from "./quick-replies.i18n.ts";
import { previewOf } from "./suggestions.ts";

/** The suggestions above the composer. The text field keeps the focus and refers to the highlighted one by `${id}-${index}`. */
export function QuickReplies(props: {
  readonly id: string;
  readonly found: readonly QuickMessage[];
  readonly index: number;
  readonly onHighlight: (index: number) => void;
  readonly onChoose: (one: QuickMessage) => void;
  /** Keeps the text as it is; Escape does the same, which a touch screen lacks. */
  readonly onClose: () => void;
}) {
  const t = useMessages(quickReplyMessages);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [props.index]);

  return props.found.length === 0 ? null : (
    <Panel
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      <List ref={list} id={props.id} role="listbox" aria-label={t("suggestions")}>
        {props.found.map((one, index) => (
          <button
            key={one.id}
            id={`${props.id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === props.index}
            title={one.message}
            onMouseMove={() => index !== props.index && props.onHighlight(index)}
            onClick={() => props.onChoose(one)}
          >
            <span>{previewOf(one)}</span>
            {one.isMedia && <Paperclip size={14} aria-label={t("withFile")} />}
          </button>
        ))}
      </List>
      {!hasHardwareKeyboard() && (
        <IconButton label={t("closeSuggestions")} onClick={props.onClose}>
          <X />
        </IconButton>
      )}
    </Panel>
  );
}

const Panel = styled("div")({
  position: "absolute",
  zIndex: 3,
  left: 0,
  right: 0,
  bottom: "calc(100% + 6px)",
  display: "flex",
  alignItems: "flex-start",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.raised,
  boxShadow: color.shadow,
});

const List = styled("div")({
  flex: 1,
  minWidth: 0,
  padding: 4,
  maxHeight: 240,
  overflowY: "auto",
  "& > button": {
    display: "flex",
    width: "100%",
    alignItems: "center",
    justifyContent: "space-between",
    gap: 8,
    minHeight: 34,
    padding: "4px 10px",
    border: 0,
    borderRadius: 6,
    background: "none",
    textAlign: "left",
    fontSize: 13,
    cursor: "pointer",
    "&[aria-selected=true]": { backgroundColor: color.accentSoft, color: color.accent },
    "& > span": { minWidth: 0, overflowWrap: "anywhere" },
    [media.coarse]: { minHeight: 44 },
  },
});
