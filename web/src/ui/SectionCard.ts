import { styled } from "./styled.ts";
import { color } from "./theme.ts";

/** A part of a screen that has several below each other: a heading, words about it, fields, and actions in a `<footer>`. */
export const SectionCard = styled("section")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  gap: 14,
  padding: "14px 16px",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.panel,
  "& h2": { margin: 0, fontSize: 14, fontWeight: 600 },
  "& h3": { margin: 0, fontSize: 13, fontWeight: 600 },
  "& > p": { margin: 0, fontSize: 13, color: color.ink2 },
  "& > small[role=alert]": { fontSize: 12, color: color.danger },
  "& > footer": { display: "flex", flexWrap: "wrap", justifyContent: "flex-end", gap: 8 },
});
