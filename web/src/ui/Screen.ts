import { styled } from "./styled.ts";
import { color, media } from "./tokens.ts";

/** A screen of the menu: head and content. */
export const Screen = styled("section")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  backgroundColor: color.panel,
});

/** Title, search, filters, and one primary action at the right. */
export const ScreenHead = styled("header")({
  flex: "none",
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  // what does not fit beside the title is at the right too
  justifyContent: "flex-end",
  gap: 12,
  minHeight: 60,
  padding: "11px 20px",
  borderBottom: `1px solid ${color.line}`,
  [media.phone]: { padding: "12px", gap: 8 },
});

/** The title, with its count in a `<span>`. */
export const ScreenTitle = styled("h1")({
  marginRight: "auto",
  fontSize: 18,
  fontWeight: 600,
  letterSpacing: "-0.01em",
  "& span": { marginLeft: 4, fontSize: 14, fontWeight: 400, color: color.ink2 },
  "h2&": { fontSize: 16 },
});
