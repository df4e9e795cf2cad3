import { styled } from "./styled.ts";
import type { ReactNode } from "react";
import { parseHex, readableOn } from "./contrast.ts";
import { color, visuallyHidden } from "./tokens.ts";

/** A small label. On the colour of a queue or tag its text is black or white, whichever has more contrast. */
export function Chip({
  children,
  tint,
  tone,
  title,
}: {
  readonly children: ReactNode;
  readonly tint?: string | null;
  /** "accent" stands out among plain chips. */
  readonly tone?: "accent";
  readonly title?: string;
}) {
  const isTinted = typeof tint === "string" && parseHex(tint) !== undefined;
  return (
    <ChipRoot
      title={title}
      data-tone={tone}
      style={isTinted ? { backgroundColor: tint, color: readableOn(tint) } : undefined}
    >
      {children}
    </ChipRoot>
  );
}

/** A count or "!" on a coloured background; nothing for 0, "99+" above 99. */
export function Badge({
  value,
  tone = "accent",
  label,
}: {
  readonly value: number | "!";
  /** Read by screen readers instead of the bare number. */
  readonly label?: string;
  readonly tone?: "accent" | "danger" | "plain";
}) {
  if (value === 0) {
    return null;
  }
  const shown = typeof value === "number" && value > 99 ? "99+" : value;
  return (
    <BadgeRoot data-tone={tone}>
      {label === undefined ? (
        shown
      ) : (
        <>
          <span aria-hidden>{shown}</span>
          <VisuallyHidden>{label}</VisuallyHidden>
        </>
      )}
    </BadgeRoot>
  );
}

/** The colour of a queue or tag beside its name. */
export function ColorDot({ tint, size = 10 }: { readonly tint: string | null | undefined; readonly size?: number }) {
  return <Dot aria-hidden style={{ backgroundColor: tint ?? color.ink3, width: size, height: size }} />;
}

const VisuallyHidden = styled("span")(visuallyHidden);
const ChipRoot = styled("span")({
  display: "inline-block",
  maxWidth: 160,
  padding: "1px 6px",
  borderRadius: 4,
  fontSize: 11,
  lineHeight: "16px",
  fontWeight: 500,
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  backgroundColor: color.chip,
  color: color.ink2,
  "&[data-tone='accent']": { backgroundColor: color.accentSoft, color: color.accent, fontWeight: 600 },
});

const BadgeRoot = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  minWidth: 18,
  height: 18,
  padding: "0 5px",
  borderRadius: 9,
  fontSize: 11,
  fontWeight: 600,
  fontVariantNumeric: "tabular-nums",
  lineHeight: 1,
  backgroundColor: color.accent,
  color: color.onAccent,
  "&[data-tone='danger']": { backgroundColor: color.danger, color: color.onDanger },
  "&[data-tone='plain']": { backgroundColor: color.chip, color: color.ink2 },
});

const Dot = styled("span")({ flex: "none", display: "inline-block", borderRadius: "50%" });
