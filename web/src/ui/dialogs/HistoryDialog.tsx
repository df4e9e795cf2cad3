import type { ReactNode } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { InfoDialog } from "./InfoDialog.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/tokens.ts";

/** One event of a history. */
export interface HistoryEntry {
  readonly at: string;
  /** What happened, in short. */
  readonly title?: string;
  /** Details. */
  readonly text?: ReactNode;
  /** Colour of its dot; neutral by default. */
  readonly tone?: "good" | "warn" | "bad";
}

/** A timeline of events, in the order given. */
export function HistoryDialog(props: {
  readonly title: string;
  /** Undefined while loading. */
  readonly entries: readonly HistoryEntry[] | undefined;
  readonly error?: unknown;
  readonly onRetry?: () => void;
  readonly emptyText: string;
  readonly onClose: () => void;
}) {
  const { entries, error } = props;
  return (
    <InfoDialog title={props.title} onClose={props.onClose}>
      {error ? <ErrorState error={error} onRetry={props.onRetry} /> : !entries && <LoadingEntries />}
      {entries?.length === 0 && <Nothing>{props.emptyText}</Nothing>}
      {entries && entries.length > 0 && <HistoryList entries={entries} />}
    </InfoDialog>
  );
}

/** The timeline itself, for a dialog that shows more than that. */
export function HistoryList({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return (
    <Line>
      {entries.map((entry, index) => (
        // the index is the key: two events may have the same time, and entries never move
        <Entry key={index} {...entry} />
      ))}
    </Line>
  );
}

function Entry({ at, title, text, tone }: HistoryEntry) {
  const format = useFormat();
  return (
    <li data-tone={tone}>
      {title && <b>{title}</b>}
      <time dateTime={at}>{format.dateTime(at)}</time>
      {text && <div>{text}</div>}
    </li>
  );
}

function LoadingEntries() {
  return (
    <Line aria-hidden>
      {[55, 70, 40].map((width) => (
        <li key={width}>
          <Skeleton style={{ width: `${width}%` }} />
        </li>
      ))}
    </Line>
  );
}

const Nothing = styled("p")({ color: color.ink2 });

const Line = styled("ol")({
  "& li": {
    position: "relative",
    display: "flex",
    flexWrap: "wrap",
    justifyContent: "space-between",
    gap: "2px 12px",
    paddingLeft: 22,
    paddingBottom: 16,
    fontSize: 13,
    overflowWrap: "anywhere",
  },
  // the dot, and the line down to the next one
  "& li::before": {
    content: '""',
    position: "absolute",
    left: 4,
    top: 6,
    width: 9,
    height: 9,
    borderRadius: "50%",
    backgroundColor: color.ink3,
  },
  "& li:not(:last-of-type)::after": {
    content: '""',
    position: "absolute",
    left: 8,
    top: 19,
    bottom: -3,
    width: 1,
    backgroundColor: color.line,
  },
  "& li[data-tone='good']::before": { backgroundColor: color.accent },
  "& li[data-tone='warn']::before": { backgroundColor: color.warning },
  "& li[data-tone='bad']::before": { backgroundColor: color.danger },
  "& b": { fontWeight: 600 },
  "& time": { fontSize: 12, color: color.ink2 },
  "& li > div": { flexBasis: "100%", color: color.ink2 },
});
