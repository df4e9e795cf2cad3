/** Which colour of the palette is free, and which cell does an arrow key move to? Pure. */
import { paletteColors } from "@prosa/contract/colors";

/** The first colour that nobody has; the first of the palette if all are taken. */
export function freeColor(taken: readonly string[]): string {
  return paletteColors.find((each) => !taken.includes(each)) ?? paletteColors[0];
}

/** The cell that an arrow key moves to; undefined for other keys and beyond the edge. */
export function nextCell(at: number, key: string, columns: number): number | undefined {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key];
  const next = step === undefined ? -1 : at + step;
  return next >= 0 && next < paletteColors.length ? next : undefined;
}
