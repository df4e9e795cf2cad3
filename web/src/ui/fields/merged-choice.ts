import { useRef } from "react";

/**
 * Pure: the ids to save of a choice of several that colleagues may change meanwhile. Each one that was ticked or unticked here, in the
 * choice or in one that a failed save has tried, is as the choice has it; of the others what was saved last counts. In the order of the
 * choice, then what colleagues added.
 */
export function mergedChoice(
  chosen: readonly number[],
  to: { readonly opened: readonly number[]; readonly tried: readonly number[][]; readonly newest: readonly number[] },
): number[] {
  const { opened, tried, newest } = to;
  const isOwn = (id: number) => [chosen, ...tried].some((ids) => ids.includes(id) !== opened.includes(id));
  return [
    ...chosen.filter((id) => isOwn(id) || newest.includes(id)),
    ...newest.filter((id) => !isOwn(id) && !chosen.includes(id)),
  ];
}

/** Of chosen ids those whose record there is still: one that was deleted is not shown, so it cannot be unticked. All while none is known. */
export function existingOf(
  chosen: readonly number[],
  records: readonly { readonly id: number }[] | undefined,
): number[] {
  return chosen.filter((id) => records === undefined || records.some((record) => record.id === id));
}

/** As `mergedChoice`, of a form that opened with these ids; it remembers what each save has tried. */
export function useMergedChoice(
  opened: readonly number[],
): (chosen: readonly number[], newest: readonly number[]) => number[] {
  const tried = useRef<number[][]>([]);
  return (chosen, newest) => {
    const merged = mergedChoice(chosen, { opened, tried: tried.current, newest });
    tried.current = [...tried.current, [...chosen]];
    return merged;
  };
}
