import { bulkMost } from "@prosa/contract/common";
import type { Ticket } from "@prosa/contract/tickets";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

interface Chosen {
  readonly ids: readonly number[];
  /** Where a range begins: what was chosen last. */
  readonly anchor: number | undefined;
}
const nothing: Chosen = { ids: [], anchor: undefined };

/** Pure: after a row was clicked, or, as a range, everything from the last one to it. No more than one action takes. */
export function choose(chosen: Chosen, rows: readonly number[], id: number, isRange: boolean): Chosen {
  const [from, to] = [chosen.anchor === undefined ? -1 : rows.indexOf(chosen.anchor), rows.indexOf(id)];
  if (isRange && from !== -1 && to !== -1) {
    const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    return { ids: capped([...new Set([...chosen.ids, ...range])]), anchor: id };
  }
  return chosen.ids.includes(id)
    ? { ids: chosen.ids.filter((other) => other !== id), anchor: id }
    : { ids: capped([...chosen.ids, id]), anchor: id };
}

const capped = (ids: readonly number[]) => ids.slice(0, bulkMost);

export interface Choosing {
  /** Of the rows that are shown: what left the list is chosen no more. */
  readonly tickets: readonly Ticket[];
  readonly ids: ReadonlySet<number>;
  /** How many rows there are to choose from. */
  readonly shown: number;
  readonly choose: (id: number, isRange: boolean) => void;
  readonly chooseAll: () => void;
  readonly clear: () => void;
  /** Hears of the rows as they stand. */
  readonly onRows: (rows: readonly Ticket[]) => void;
}

/** Which rows of a list are chosen; another list (`scope`) begins without any. Escape lets go of them. */
export function useChoosing(scope: string): Choosing {
  const [state, setState] = useState({ scope, chosen: nothing });
  const [rows, setRows] = useState<readonly Ticket[]>([]);
  const latest = useRef<readonly Ticket[]>([]);
  const chosen = state.scope === scope ? state.chosen : nothing;
  const isOn = chosen.ids.length > 0;

  const change = useCallback(
    (next: (known: Chosen) => Chosen) => {
      setRows(latest.current);
      setState((known) => ({ scope, chosen: next(known.scope === scope ? known.chosen : nothing) }));
    },
    [scope],
  );
  const clear = useCallback(() => change(() => nothing), [change]);
  useEscape(clear, isOn);

  const tickets = useMemo(() => rows.filter(({ id }) => chosen.ids.includes(id)), [rows, chosen]);
  return {
    tickets: isOn ? tickets : [],
    ids: useMemo(() => new Set(chosen.ids), [chosen]),
    shown: rows.length,
    clear,
    choose: useCallback(
      (id, isRange) =>
        change((known) =>
          choose(
            known,
            latest.current.map((ticket) => ticket.id),
            id,
            isRange,
          ),
        ),
      [change],
    ),
    chooseAll: useCallback(
      () => change(({ anchor }) => ({ ids: capped(latest.current.map(({ id }) => id)), anchor })),
      [change],
    ),
    onRows: useCallback(
      (next) => {
        latest.current = next;
        if (isOn) {
          setRows(next);
        }
      },
      [isOn],
    ),
  };
}

/** The row that has the keyboard's focus, if one has. */
export function focusedRow(): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>("[data-ticket]");
  return row ? Number(row.dataset.ticket) : undefined;
}

/** Not while a menu, dialog or field has it for itself. */
function useEscape(run: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest("[popover], [role=dialog], input:not([type=checkbox]), textarea") !== null;
      if (event.key === "Escape" && !event.defaultPrevented && !isElsewhere) {
        run();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [run, isOn]);
}
