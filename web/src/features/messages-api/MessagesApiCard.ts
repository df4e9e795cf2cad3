import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** A part of the page, with its title. */
export const Card = styled("section")({
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
  "& > footer": { display: "flex", flexWrap: "wrap", justifyContent: "flex-end", gap: 8 },
});
