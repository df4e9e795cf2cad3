import { styled } from "./styled.ts";
import { color, media } from "./tokens.ts";

/** One matter of a screen of settings: a heading, words about it, controls, and actions in a `<footer>`. */
export const Card = styled("section")({
  margin: "16px 20px 0",
  padding: 16,
  maxWidth: 820,
  border: `1px solid ${color.line}`,
  borderRadius: 10,
  backgroundColor: color.panel,
  "& h2": { fontSize: 15, fontWeight: 600 },
  "& p, & output": {
    display: "block",
    margin: "6px 0 12px",
    fontSize: 13,
    color: color.ink2,
    overflowWrap: "anywhere",
  },
  "& footer": { display: "flex", justifyContent: "flex-end", flexWrap: "wrap", gap: 8, marginTop: 14 },
  [media.phone]: { margin: "12px 12px 0" },
});
