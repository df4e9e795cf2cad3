/** Parts of the contact drawer: titled sections, each with one small action. */
import { styled } from "./styled.ts";
import { X } from "lucide-react";
import { useId, type ReactNode } from "react";
import { ColorDot, tintBackground } from "./Chip.tsx";
import { color, media, size } from "./tokens.ts";

export function DrawerSection(props: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly isEmpty?: boolean;
  readonly emptyText?: string;
  readonly children: ReactNode;
  /** Items stacked instead of side by side. */
  readonly isList?: boolean;
}) {
  const id = useId();
  return (
    <Section aria-labelledby={id}>
      <header>
        <h3 id={id}>{props.title}</h3>
        {props.action}
      </header>
      {props.isEmpty ? <Empty>{props.emptyText}</Empty> : <Body data-list={props.isList}>{props.children}</Body>}
    </Section>
  );
}

/** The small action beside a section's title. */
export const EditLink = styled("button")({
  flex: "none",
  padding: "2px 6px",
  margin: "-2px -6px",
  border: 0,
  borderRadius: 6,
  background: "none",
  fontSize: 12,
  fontWeight: 600,
  color: color.accent,
  cursor: "pointer",
  "&:hover": { backgroundColor: color.hover },
  [media.coarse]: { minWidth: size.finger, minHeight: size.finger, margin: "-12px -6px" },
});

/** A label with a button that removes it. */
export function Removable(props: {
  readonly children: ReactNode;
  readonly tint?: string | undefined;
  readonly removeLabel: string;
  readonly disabled?: boolean;
  readonly onRemove: () => void;
}) {
  const { tint } = props;
  return (
    <Piece style={{ backgroundColor: tintBackground(tint) }}>
      {tint !== undefined && <ColorDot tint={tint} size={8} />}
      <span>{props.children}</span>
      <button type="button" aria-label={props.removeLabel} disabled={props.disabled} onClick={props.onRemove}>
        <X aria-hidden size={12} />
      </button>
    </Piece>
  );
}

const Section = styled("section")({
  padding: "14px 16px",
  borderTop: `1px solid ${color.line}`,
  "& > header": { display: "flex", alignItems: "center", justifyContent: "space-between", gap: 8, marginBottom: 6 },
  "& h3": { fontSize: 12, fontWeight: 600, color: color.ink2 },
});
const Body = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  gap: 6,
  "&[data-list='true']": { flexDirection: "column", flexWrap: "nowrap", gap: 10 },
});
const Empty = styled("p")({ fontSize: 13, color: color.ink2 });
const Piece = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 5,
  maxWidth: "100%",
  padding: "1px 2px 1px 7px",
  borderRadius: 5,
  fontSize: 12,
  lineHeight: "20px",
  fontWeight: 500,
  backgroundColor: color.chip,
  color: color.ink,
  "& > span": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& > button": {
    display: "inline-grid",
    placeItems: "center",
    width: 20,
    height: 20,
    padding: 0,
    border: 0,
    borderRadius: 4,
    background: "none",
    color: "inherit",
    cursor: "pointer",
    opacity: 0.75,
    "&:hover, &:focus-visible": { opacity: 1, backgroundColor: "color-mix(in srgb, currentColor 18%, transparent)" },
  },
  [media.coarse]: { "& > button": { width: size.finger, height: size.finger } },
});
