/** What became of one kind of things. */
export interface KindReport {
  readonly kind: string;
  read: number;
  /** Taken by an earlier run. */
  known: number;
  taken: number;
  /** Became a part of something that was there: the same person twice, a conversation of the same contact. */
  joined: number;
  /** How many were left out, by reason, with up to five of their ids. */
  readonly skipped: Record<string, { count: number; ids: string[] }>;
}

/** Counts of a move by company and kind, and what a person has to know or do. */
export interface MoveReport {
  readonly companies: { readonly name: string; readonly kinds: KindReport[] }[];
  readonly notes: Record<string, number>;
}

const EXAMPLES = 5;

export function newReport(): MoveReport {
  return { companies: [], notes: {} };
}

export function newKind(kind: string): KindReport {
  return { kind, read: 0, known: 0, taken: 0, joined: 0, skipped: {} };
}

export function skip(report: KindReport, reason: string, oldId: string): void {
  const found = (report.skipped[reason] ??= { count: 0, ids: [] });
  found.count += 1;
  if (found.ids.length < EXAMPLES) {
    found.ids.push(oldId);
  }
}

/** Counts a sentence for the person who moves. */
export function note(report: MoveReport, sentence: string, count = 1): void {
  report.notes[sentence] = (report.notes[sentence] ?? 0) + count;
}

/** The report as text, one line for each kind. */
export function reportText(report: MoveReport): string {
  const lines: string[] = [];
  for (const { name, kinds } of report.companies) {
    lines.push("", name, `  ${"".padEnd(16)}${["read", "taken", "joined", "known", "left out"].map(right).join("")}`);
    for (const { kind, read, taken, joined, known, skipped } of kinds.filter((each) => each.read > 0)) {
      const left = Object.values(skipped).reduce((sum, { count }) => sum + count, 0);
      lines.push(`  ${kind.padEnd(16)}${[read, taken, joined, known, left].map(right).join("")}`);
      for (const [reason, { count, ids }] of Object.entries(skipped)) {
        lines.push(`      ${count} left out: ${reason} (${ids.join(", ")}${count > ids.length ? ", …" : ""})`);
      }
    }
  }
  const notes = Object.entries(report.notes).map(
    ([sentence, count]) => `- ${sentence}${count > 1 ? ` (${count})` : ""}`,
  );
  return [...lines, ...(notes.length > 0 ? ["", "To know:", ...notes] : []), ""].join("\n");
}

function right(value: number | string): string {
  return String(value).padStart(10);
}
