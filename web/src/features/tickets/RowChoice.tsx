import { Check } from "lucide-react";
import { useMessages } from "#web/lib/i18n.ts";
import { color } from "#web/ui/theme.ts";
import { styled } from "#web/ui/styled.ts";
import { ticketMessages } from "./tickets.i18n.ts";

/** The box over the face of a row: shown where the pointer or the keyboard is, and on every row once one is chosen. */
export function RowChoice(props: {
  readonly name: string;
  readonly isChosen: boolean;
  readonly isChoosing: boolean;
  readonly onChoose: (isRange: boolean) => void;
}) {
  const t = useMessages(ticketMessages);
  return (
    <Place data-shown={props.isChoosing || undefined}>
      <input
        type="checkbox"
        checked={props.isChosen}
        aria-label={t("choose", { name: props.name })}
        aria-keyshortcuts="x"
        // A change does not say whether Shift was held.
        onClick={(event) => props.onChoose(event.shiftKey)}
        onChange={() => undefined}
      />
      <Box>{props.isChosen && <Check aria-hidden size={14} strokeWidth={3} />}</Box>
    </Place>
  );
}

const Place = styled("span")({
  position: "absolute",
  left: 11,
  top: 7,
  width: 46,
  height: 46,
  display: "grid",
  placeItems: "center",
  borderRadius: "50%",
  opacity: 0,
  "& > input": { position: "absolute", inset: 0, margin: 0, opacity: 0, cursor: "pointer" },
  // On touch a long press begins; until then the face is part of the row.
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
