import { styled } from "./styled.ts";
import type { MouseEvent, ReactNode, Ref } from "react";
import { Badge } from "./Chip.tsx";
import { color, media, size, visuallyHidden } from "./tokens.ts";

export interface IconButtonProps {
  /** The tooltip and the accessible name. */
  readonly label: string;
  readonly children: ReactNode;
  readonly onClick?: (event: MouseEvent<HTMLElement>) => void;
  readonly shortcut?: string;
  /** Pressed state of a toggle button, e.g. recording. */
  readonly isOn?: boolean;
  readonly disabled?: boolean;
  /** A count or mark at the corner, part of the accessible name. */
  readonly badge?: number | "!" | undefined;
  readonly size?: "small" | "medium";
  readonly type?: "button" | "submit";
  /** -1 in the rows of a tree that are not current: Tab enters a row at a time. */
  readonly tabIndex?: 0 | -1;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly "aria-haspopup"?: "menu" | "dialog";
  readonly "aria-expanded"?: boolean;
  readonly "aria-controls"?: string;
  readonly "aria-busy"?: boolean | undefined;
}

/** An icon button, always with an accessible name and a tooltip that shows its shortcut. */
export function IconButton({
  label,
  shortcut,
  isOn,
  badge,
  size: look = "medium",
  children,
  ...rest
}: IconButtonProps) {
  const hasBadge = badge !== undefined && badge !== 0;
  return (
    <Root
      {...rest}
      type={rest.type ?? "button"}
      // as by `Tooltip`, which would be one more component for each
      data-tooltip={label}
      data-tooltip-keys={shortcut}
      aria-label={hasBadge ? undefined : label}
      aria-pressed={isOn}
      aria-keyshortcuts={shortcut?.replace("mod", "Control")}
      data-size={look}
    >
      {children}
      {hasBadge && (
        <>
          {/* visible text must be part of the accessible name (WCAG 2.5.3) */}
          <VisuallyHidden>{label} </VisuallyHidden>
          <Corner>
            <Badge value={badge} tone="danger" />
          </Corner>
        </>
      )}
    </Root>
  );
}

const Root = styled("button")({
  position: "relative",
  flex: "none",
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  padding: 0,
  border: 0,
  background: "none",
  cursor: "pointer",
  width: 36,
  height: 36,
  borderRadius: 8,
  color: color.ink2,
  "& svg": { width: 18, height: 18, strokeWidth: 1.75 },
  "&:hover": { backgroundColor: color.hover, color: color.ink },
  "&:focus-visible": { outlineOffset: -2 },
  "&:disabled": { color: color.ink3, opacity: 0.6, cursor: "default" },
  "&[aria-haspopup][aria-expanded='true']": { backgroundColor: color.hover, color: color.ink },
  "&[aria-pressed='true']": { backgroundColor: color.accentSoft, color: color.accent },
  "&[data-size='small']": { width: 28, height: 28, borderRadius: 6, "& svg": { width: 16, height: 16 } },
  [media.coarse]: { "&, &[data-size='small']": { width: size.finger, height: size.finger, borderRadius: 8 } },
});

const VisuallyHidden = styled("span")(visuallyHidden);
const Corner = styled("span")({
  position: "absolute",
  top: 0,
  right: -2,
  pointerEvents: "none",
  display: "inline-flex",
});
