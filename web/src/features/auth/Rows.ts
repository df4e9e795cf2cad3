import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** A section of the security dialog with a list. */
export const Rows = styled("section")({
  "& h3": { fontSize: 15, fontWeight: 600 },
  "& > p": { color: color.ink2, fontSize: 13 },
  "& > button, & > form": { marginTop: 8 },
  "& ul": { listStyle: "none", margin: "8px 0 0", padding: 0 },
  "& li": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: 8,
    padding: "10px 0",
    borderTop: `1px solid ${color.line}`,
  },
  "& li > div": { flex: "1 1 200px", minWidth: 0, display: "flex", flexDirection: "column" },
  "& b": { fontWeight: 500 },
  "& li[data-ended] b": { fontWeight: 400, color: color.ink2 },
  "& small": { fontSize: 12, color: color.ink2, overflowWrap: "anywhere" },
});
