import { styled } from "./styled.ts";
import { color, media } from "./theme.ts";

/** One line across a screen that something is wrong with the whole installation: an icon, then the words. */
export const Banner = styled("p")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: 0,
  padding: "10px 20px",
  backgroundColor: color.dangerSoft,
  color: color.danger,
  // words of several lines take no room from it
  "& > svg": { flex: "none" },
  [media.phone]: { padding: "10px 12px" },
});
