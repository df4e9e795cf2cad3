import { Check } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { color } from "#web/ui/theme.ts";
import { styled } from "#web/ui/styled.ts";
import { ticketMessages } from "../tickets.i18n.ts";

/** The checkbox over a row's avatar: visible on hover or focus, and on every row while any is selected. */
export function RowCheckbox(props: {
  readonly name: string;
  readonly isSelected: boolean;
  readonly isSelecting: boolean;
  readonly tabIndex: number;
  readonly onToggle: (isRange: boolean) => void;
}) {
  const t = useMessages(ticketMessages);
  return (
    <Overlay data-shown={props.isSelecting || undefined}>
      <input
        type="checkbox"
        tabIndex={props.tabIndex}
        checked={props.isSelected}
        aria-label={t("choose", { name: props.name })}
        aria-keyshortcuts="x"
        // A change event does not say whether Shift was held.
        onClick={(event) => props.onToggle(event.shiftKey)}
        onChange={() => undefined}
      />
      <Box>{props.isSelected && <Check aria-hidden size={14} strokeWidth={3} />}</Box>
    </Overlay>
  );
}

const Overlay = styled("span")({
  position: "absolute",
  left: 10,
  top: 6,
  width: 44,
  height: 44,
  display: "grid",
  placeItems: "center",
  borderRadius: "50%",
  opacity: 0,
  "& > input": { position: "absolute", inset: 0, margin: 0, opacity: 0, cursor: "pointer" },
  // On touch screens a long press starts selecting; until then a tap on the avatar opens the row.
  "@media (hover: none)": { pointerEvents: "none" },
  "@media (hover: hover)": { "div:hover > &": { opacity: 1, backgroundColor: "inherit" } },
  "&:focus-within, &[data-shown]": { opacity: 1, pointerEvents: "auto", backgroundColor: "inherit" },
});

const Box = styled("span")({
  display: "grid",
  placeItems: "center",
  width: 20,
  height: 20,
  borderRadius: 6,
  border: `1.5px solid ${color.ink2}`,
  backgroundColor: color.panel,
  color: color.onAccent,
  "input:checked + &": { borderColor: color.accent, backgroundColor: color.accent },
  "input:focus-visible + &": { outline: `2px solid ${color.accent}`, outlineOffset: 2 },
});
