import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** A section of rules, with its fields below each other. */
export const SendingCard = styled("section")({
  display: "grid",
  gap: 14,
  padding: "14px 16px",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.panel,
  "& > h2": { margin: 0, fontSize: 14, fontWeight: 600 },
  "& > p": { margin: 0, fontSize: 13, color: color.ink2 },
  "& > small[role=alert]": { fontSize: 12, color: color.danger },
  "& > footer": { display: "flex", flexWrap: "wrap", justifyContent: "flex-end", gap: 8 },
});
