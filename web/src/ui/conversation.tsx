/** Parts of every conversation around its messages, of tickets and of the internal chat. */
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { Skeleton } from "./states.tsx";
import { styled } from "./styled.ts";
import { color, media, size } from "./theme.ts";

export const ConversationFrame = styled("div")({
  position: "relative",
  flex: 1,
  minHeight: 0,
  display: "flex",
  backgroundColor: color.background,
});

/** Scrolls back to the latest message. */
export function ScrollToEndButton({
  onClick,
  children,
}: {
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Pill type="button" onClick={onClick}>
      <ChevronDown aria-hidden /> {children}
    </Pill>
  );
}

/** Loading state: a grey bubble of each width. */
export function ConversationSkeleton({ widths }: { readonly widths: readonly string[] }) {
  return (
    <Bubbles aria-hidden>
      {widths.map((width, index) => (
        <Skeleton
          key={width}
          style={{ width, height: 44, borderRadius: 10, alignSelf: index % 2 === 0 ? "flex-start" : "flex-end" }}
        />
      ))}
    </Bubbles>
  );
}

const Pill = styled("button")({
  position: "absolute",
  right: 20,
  bottom: 12,
  display: "inline-flex",
  alignItems: "center",
  gap: 4,
  padding: "6px 12px 6px 8px",
  border: `1px solid ${color.line}`,
  borderRadius: 18,
  backgroundColor: color.raised,
  boxShadow: color.shadow,
  color: color.accent,
  fontSize: 12,
  fontWeight: 600,
  cursor: "pointer",
  "& svg": { width: 16, height: 16 },
  [media.coarse]: { minHeight: size.finger, borderRadius: 22 },
});
const Bubbles = styled("div")({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  justifyContent: "flex-end",
  gap: 10,
  padding: 24,
  backgroundColor: color.background,
});
