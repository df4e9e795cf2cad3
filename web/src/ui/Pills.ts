import { styled } from "./styled.ts";
import { color, media } from "./tokens.ts";

/** A row of small buttons, of which the chosen one is pressed: presets of a field, ranges of a screen. Give it a role and a name. */
export const Pills = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  gap: 6,
  "& button": {
    minHeight: 28,
    padding: "3px 10px",
    border: `1px solid ${color.lineStrong}`,
    borderRadius: 14,
    background: "none",
    color: color.ink,
    fontSize: 12,
    cursor: "pointer",
    "&:hover": { backgroundColor: color.hover },
    "&[aria-pressed='true']": { borderColor: color.accent, backgroundColor: color.accentSoft, color: color.accent },
    [media.coarse]: { minHeight: 44, borderRadius: 22, padding: "3px 14px" },
  },
});
