import { styled } from "./styled.ts";
import type { ReactNode } from "react";
import { parseHex } from "./contrast.ts";
import { color, visuallyHidden } from "./tokens.ts";

/** How much of a user's colour lies behind a label, in percent: ink stays readable on it in both themes. */
export const TINT_PERCENT = 14;

/** The background of a label in a user's colour; undefined where that is no colour. */
export function tintBackground(tint: string | null | undefined): string | undefined {
  return typeof tint === "string" && parseHex(tint) !== undefined
    ? `color-mix(in srgb, ${tint} ${TINT_PERCENT}%, transparent)`
    : undefined;
}

/** A small label. The colour of a tag is a dot and a tint; the letters are ink, whatever the colour. */
export function Chip({
  children,
  tint,
  tone,
  look = "tint",
  title,
}: {
  readonly children: ReactNode;
  /** A user's colour; null: a grey dot. Left out: no dot. */
  readonly tint?: string | null;
  /** "accent" stands out among plain chips. */
  readonly tone?: "accent";
  /** "dot": without a background, for the queue of a row. */
  readonly look?: "tint" | "dot";
  readonly title?: string;
}) {
  return (
    <ChipRoot
      title={title}
      data-tone={tone}
      data-look={look}
      data-tinted={tint ? true : undefined}
      style={look === "tint" ? { backgroundColor: tintBackground(tint) } : undefined}
    >
      {tint !== undefined && <ColorDot tint={tint} size={7} />}
      <ChipText>{children}</ChipText>
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
  display: "inline-flex",
  alignItems: "center",
  gap: 5,
  maxWidth: 160,
  padding: "1px 6px",
  borderRadius: 4,
  fontSize: 11,
  lineHeight: "16px",
  fontWeight: 500,
  whiteSpace: "nowrap",
  backgroundColor: color.chip,
  color: color.ink2,
  "&[data-tinted]": { color: color.ink },
  "&[data-look='dot']": { padding: "1px 2px 1px 0", backgroundColor: "transparent", color: color.ink2 },
  "&[data-tone='accent']": { backgroundColor: color.accentSoft, color: color.accent, fontWeight: 600 },
});
const ChipText = styled("span")({ minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" });

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

const Dot = styled("span")({
  flex: "none",
  display: "inline-block",
  borderRadius: "50%",
  // a dot as light, or as dark, as what is below it
  boxShadow: `inset 0 0 0 1px color-mix(in srgb, ${color.ink} 22%, transparent)`,
});
