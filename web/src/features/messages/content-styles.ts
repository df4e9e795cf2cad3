/** Styled elements that several kinds of message share. */
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** The conversation is one column of so many px, with so much room beside it for the buttons of its bubbles. */
export const columnWidth = 760;
export const columnPadding = 24;

export const Stack = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 6,
  alignItems: "flex-start",
  maxWidth: "100%",
});

export const MutedText = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  fontStyle: "italic",
  color: color.ink2,
  "& svg": { width: 15, height: 15 },
});

export const FileLink = styled("a")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  width: 280,
  maxWidth: "100%",
  padding: 8,
  borderRadius: 8,
  border: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  color: color.ink,
  "&:hover": { textDecoration: "none", backgroundColor: color.hover },
  "& > svg": { flex: "none", width: 20, height: 20, color: color.ink2 },
  "& > span": { flex: 1, minWidth: 0, display: "flex", flexDirection: "column" },
  "& b": { fontWeight: 500, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& small": { fontSize: 12, color: color.ink2 },
});
