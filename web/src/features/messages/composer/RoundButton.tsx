import type { ReactNode } from "react";
import { Spinner } from "#web/ui/Button.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";

/** The round green button at the end of a phone's composer. */
export function RoundButton(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isBusy?: boolean;
  readonly onClick: () => void;
}) {
  const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault();
  return (
    <Round
      type="button"
      aria-label={props.label}
      disabled={props.isBusy}
      // the field keeps the focus, and with it the on-screen keyboard
      onPointerDown={keepFocus}
      onMouseDown={keepFocus}
      onClick={props.onClick}
    >
      {props.isBusy ? <Spinner /> : props.icon}
    </Round>
  );
}

const Round = styled("button")({
  flex: "none",
  display: "grid",
  placeItems: "center",
  width: 40,
  height: 40,
  marginLeft: 4,
  border: 0,
  borderRadius: "50%",
  backgroundColor: color.accent,
  color: color.onAccent,
  cursor: "pointer",
  "& svg": { width: 20, height: 20 },
  [media.coarse]: { width: size.finger, height: size.finger },
});
