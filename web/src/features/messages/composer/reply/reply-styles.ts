import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** A colleague has replied: the reply is sent only by a second attempt. */
export const CollisionWarning = styled("div")({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 8,
  flexWrap: "wrap",
  padding: "8px 8px 0 14px",
  fontSize: 13,
  color: color.danger,
});

/** Inside the composer: a toast would cover the buttons that record again. */
export const Notice = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: "8px 8px 0",
  padding: "6px 10px",
  borderRadius: 8,
  backgroundColor: color.dangerSoft,
  color: color.danger,
  fontSize: 13,
  "& > span": { flex: 1, minWidth: 0 },
});

/** As high as the recorder: no layout shift when it loads. */
export const RecorderPlaceholder = styled("div")({ minHeight: 54 });
