/** Which of the palette's colours is free, and where the arrows lead in its grid. Pure. */
import { paletteColors } from "@prosa/contract/colors";

/** The first colour that no queue has; the first of all where every one is taken. */
export function freeColor(taken: readonly string[]): string {
  return paletteColors.find((each) => !taken.includes(each)) ?? paletteColors[0];
}

/** The cell that an arrow leads to; undefined for other keys and beyond the edge. */
export function nextCell(at: number, key: string, columns: number): number | undefined {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key];
  const next = step === undefined ? -1 : at + step;
  return next >= 0 && next < paletteColors.length ? next : undefined;
}
