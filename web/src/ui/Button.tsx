import { styled } from "./styled.ts";
import { useLayoutEffect, useMemo, useRef, type MouseEvent, type ReactNode, type Ref } from "react";
import { isFocusLost } from "#web/lib/browser/content-focus.ts";
import { Keys } from "./Keys.tsx";
import { color, media, size } from "./tokens.ts";

export interface ButtonProps {
  readonly children: ReactNode;
  /** At most one `primary` on a screen; `danger` for destructive actions; `quiet` has no border. */
  readonly kind?: "primary" | "plain" | "danger" | "quiet";
  readonly onClick?: (event: MouseEvent<HTMLElement>) => void;
  readonly type?: "button" | "submit";
  readonly form?: string;
  readonly icon?: ReactNode;
  readonly shortcut?: string;
  readonly disabled?: boolean;
  /** Shows a spinner and ignores clicks. */
  readonly isBusy?: boolean;
  readonly fullWidth?: boolean;
  readonly autoFocus?: boolean;
  readonly size?: "medium" | "large";
  readonly ref?: Ref<HTMLButtonElement>;
  readonly "aria-label"?: string;
  readonly "aria-haspopup"?: "menu" | "dialog";
  readonly "aria-expanded"?: boolean;
}

/** A button with an optional icon, which shows a spinner while it is busy. */
export function Button(props: ButtonProps) {
  const {
    kind = "plain",
    size: height = "medium",
    type = "button",
    icon,
    shortcut,
    isBusy = false,
    children,
    ...rest
  } = props;
  const { fullWidth, disabled, ...own } = rest;
  useKeptFocus(isBusy);
  return (
    <Root
      {...own}
      type={type}
      data-kind={kind}
      data-size={height}
      data-wide={fullWidth || undefined}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
      {shortcut && <Keys keys={shortcut} />}
    </Root>
  );
}

/** A disabled button loses the focus: what had it when the work began gets it back, unless something else took it. */
function useKeptFocus(isBusy: boolean): void {
  const before = useRef<Element>(null);
  // Asked while rendering: Chrome 150 takes the focus away as the button is disabled, before any effect; newer ones do later.
  const focused = useMemo(() => (isBusy ? document.activeElement : null), [isBusy]);
  useLayoutEffect(() => {
    const kept = before.current;
    before.current = focused;
    if (kept instanceof HTMLElement && isFocusLost()) {
      kept.focus();
    }
  }, [focused]);
}

/** A small spinning ring. */
export const Spinner = styled("span")({
  flex: "none",
  width: 14,
  height: 14,
  borderRadius: "50%",
  border: "2px solid currentColor",
  borderRightColor: "transparent",
  animation: "prosa-spin 700ms linear infinite",
});

const Root = styled("button")({
  flex: "none",
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  gap: 8,
  minHeight: 32,
  padding: "5px 14px",
  border: "1px solid transparent",
  borderRadius: 8,
  fontSize: 13,
  fontWeight: 600,
  lineHeight: 1.4,
  whiteSpace: "nowrap",
  userSelect: "none",
  cursor: "pointer",
  transition: "background-color 120ms, border-color 120ms",
  "&[data-size='large']": { minHeight: 42, fontSize: 14 },
  "&[data-wide]": { width: "100%" },
  "&[data-kind='plain']": {
    borderColor: color.line,
    backgroundColor: color.panel,
    color: color.ink,
    "&:hover": { backgroundColor: color.hover, borderColor: color.lineStrong },
  },
  "&[data-kind='primary']": {
    backgroundColor: color.accent,
    color: color.onAccent,
    "&:hover": { backgroundColor: color.accentHover },
  },
  "&[data-kind='danger']": {
    backgroundColor: color.danger,
    color: color.onDanger,
    "&:hover": { filter: "brightness(0.94)" },
  },
  "&[data-kind='quiet']": {
    backgroundColor: "transparent",
    color: color.ink2,
    "&:hover": { backgroundColor: color.hover, color: color.ink },
  },
  "&:disabled": { cursor: "default", opacity: 0.6, filter: "none" },
  [media.coarse]: { minHeight: size.finger, minWidth: size.finger, "&[data-size='large']": { minHeight: size.finger } },
});
