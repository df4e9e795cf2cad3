import { maxBulkSize } from "@prosa/contract/common";
import type { Ticket } from "@prosa/contract/tickets";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

interface Selected {
  readonly ids: readonly number[];
  /** The start of a range: the row that was toggled last. */
  readonly anchor: number | undefined;
}
const none: Selected = { ids: [], anchor: undefined };

/** Pure: toggles a row or, as a range, selects all rows from the last toggled one to it; at most as many as one bulk takes. */
export function toggleSelected(selected: Selected, rows: readonly number[], id: number, isRange: boolean): Selected {
  const [from, to] = [selected.anchor === undefined ? -1 : rows.indexOf(selected.anchor), rows.indexOf(id)];
  if (isRange && from !== -1 && to !== -1) {
    const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    return { ids: capped([...new Set([...selected.ids, ...range])]), anchor: id };
  }
  return selected.ids.includes(id)
    ? { ids: selected.ids.filter((other) => other !== id), anchor: id }
    : { ids: capped([...selected.ids, id]), anchor: id };
}

const capped = (ids: readonly number[]) => ids.slice(0, maxBulkSize);

export interface TicketSelection {
  /** The selected tickets that are still in the list. */
  readonly tickets: readonly Ticket[];
  readonly ids: ReadonlySet<number>;
  /** How many rows the list has. */
  readonly rowCount: number;
  readonly toggle: (id: number, isRange: boolean) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
  /** The list calls it with its current rows. */
  readonly onRows: (rows: readonly Ticket[]) => void;
}

/** The rows selected for a bulk action. Another list (`scope`) starts empty; Escape clears the selection. */
export function useTicketSelection(scope: string): TicketSelection {
  const [state, setState] = useState({ scope, selected: none });
  const [rows, setRows] = useState<readonly Ticket[]>([]);
  const latest = useRef<readonly Ticket[]>([]);
  const selected = state.scope === scope ? state.selected : none;
  const isSelecting = selected.ids.length > 0;

  const change = useCallback(
    (next: (previous: Selected) => Selected) => {
      setRows(latest.current);
      setState((previous) => ({ scope, selected: next(previous.scope === scope ? previous.selected : none) }));
    },
    [scope],
  );
  const clear = useCallback(() => change(() => none), [change]);
  useEscape(clear, isSelecting);

  const tickets = useMemo(() => rows.filter(({ id }) => selected.ids.includes(id)), [rows, selected]);
  return {
    tickets: isSelecting ? tickets : [],
    ids: useMemo(() => new Set(selected.ids), [selected]),
    rowCount: rows.length,
    clear,
    toggle: useCallback(
      (id, isRange) =>
        change((previous) =>
          toggleSelected(
            previous,
            latest.current.map((ticket) => ticket.id),
            id,
            isRange,
          ),
        ),
      [change],
    ),
    selectAll: useCallback(
      () => change(({ anchor }) => ({ ids: capped(latest.current.map(({ id }) => id)), anchor })),
      [change],
    ),
    onRows: useCallback(
      (next) => {
        latest.current = next;
        if (isSelecting) {
          setRows(next);
        }
      },
      [isSelecting],
    ),
  };
}

/** The ticket of the row that has the keyboard focus, if any. */
export function focusedTicketId(): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>("[data-ticket]");
  return row ? Number(row.dataset.ticket) : undefined;
}

/** Runs on Escape, unless a popover, dialog or text field handles the key. */
function useEscape(run: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest("[role=menu], [role=dialog], [role=alertdialog], input:not([type=checkbox]), textarea") !==
          null;
      if (event.key === "Escape" && !event.defaultPrevented && !isElsewhere) {
        run();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [run, isOn]);
}
