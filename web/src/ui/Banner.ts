import { styled } from "./styled.ts";
import { color, media } from "./theme.ts";

/** A bar across a screen for a problem of the whole installation: an icon, then the text. */
export const Banner = styled("p")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: 0,
  padding: "10px 20px",
  backgroundColor: color.dangerSoft,
  color: color.danger,
  // the icon keeps its size beside several lines of text
  "& > svg": { flex: "none" },
  [media.phone]: { padding: "10px 12px" },
});
