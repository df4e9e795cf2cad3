/** How selects, comboboxes and their lists look. */
import { Select } from "@base-ui/react/select";
import { controlStyle } from "#web/ui/fields/Field.tsx";
import { styled } from "../styled.ts";
import { color, layer, media, MOTION_MS } from "../tokens.ts";

/** The closed control: as an input, with an arrow at its end. */
export const triggerStyle = {
  ...controlStyle,
  display: "flex",
  alignItems: "center",
  gap: 6,
  minWidth: 0,
  paddingRight: 8,
  textAlign: "left",
  fontWeight: 400,
  cursor: "pointer",
  "& > span": { flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& > svg": { flex: "none", width: 16, height: 16, color: color.ink2 },
  "&[data-popup-open]": { borderColor: color.accent, boxShadow: `0 0 0 1px ${color.accent}` },
  "&[data-disabled]": { cursor: "default" },
} as const;

export const positionerStyle = { zIndex: layer.popover, outline: 0 } as const;

export const popupStyle = {
  display: "flex",
  flexDirection: "column",
  minWidth: "var(--anchor-width)",
  maxWidth: "min(420px, var(--available-width))",
  maxHeight: "min(320px, var(--available-height))",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.raised,
  color: color.ink,
  boxShadow: color.shadow,
  fontSize: 13,
  lineHeight: "20px",
  outline: 0,
  transition: `opacity ${MOTION_MS}ms`,
  "&[data-starting-style], &[data-ending-style]": { opacity: 0 },
} as const;

export const listStyle = {
  minHeight: 0,
  padding: 4,
  overflowY: "auto",
  overscrollBehavior: "contain",
  outline: 0,
  "&[data-empty]": { padding: 0 },
} as const;

export const itemStyle = {
  display: "flex",
  alignItems: "center",
  gap: 8,
  minHeight: 32,
  padding: "5px 8px",
  borderRadius: 6,
  outline: 0,
  cursor: "pointer",
  userSelect: "none",
  "& > span:not([aria-hidden])": { flex: 1, minWidth: 0, overflowWrap: "anywhere", whiteSpace: "pre-wrap" },
  "& > svg, & > [data-mark] svg": { flex: "none", width: 16, height: 16, color: color.accent },
  // the tint alone is not enough to find the entry that a key moved to
  "&[data-highlighted]": { backgroundColor: color.hover, boxShadow: `inset 2px 0 0 ${color.accent}` },
  "&[data-disabled]": { color: color.ink2, cursor: "default" },
  [media.coarse]: { minHeight: 44 },
} as const;

export const groupLabelStyle = {
  padding: "8px 8px 4px",
  fontSize: 12,
  fontWeight: 600,
  color: color.ink2,
} as const;

/** The mark of the chosen one, at the end of its row. */
export const Mark = styled("span")({ display: "inline-flex", width: 16, height: 16 });

export const Trigger = styled(Select.Trigger)(triggerStyle);
export const Positioner = styled(Select.Positioner)(positionerStyle);
export const Popup = styled(Select.Popup)(popupStyle);
export const List = styled(Select.List)(listStyle);
export const Item = styled(Select.Item)(itemStyle);
export const GroupLabel = styled(Select.GroupLabel)(groupLabelStyle);
