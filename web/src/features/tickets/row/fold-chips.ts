/** What a chip takes beside its letters, in px: padding, dot and the gap after it. */
const CHIP_PADDING = 12;
const DOT_WIDTH = 12;
/** As `Chip` draws it. */
const CHIP_MAX = 160;
export const CHIP_GAP = 5;
const MORE_WIDTH = 30;

export interface RowChip {
  readonly key: string;
  readonly label: string;
  readonly tint?: string | null;
  readonly look?: "tint" | "dot";
  readonly tone?: "accent";
}

/** Splits a row's chips into those that fit and those that are folded into "+2". The first one is always shown. */
export function foldChips(
  chips: readonly RowChip[],
  room: number,
  textWidth: (text: string) => number,
): { readonly shown: readonly RowChip[]; readonly folded: readonly RowChip[] } {
  const widths = chips.map(
    ({ label, tint }) =>
      Math.min(CHIP_MAX, textWidth(label) + CHIP_PADDING + (tint === undefined ? 0 : DOT_WIDTH)) + CHIP_GAP,
  );
  const taken = (count: number) => widths.slice(0, count).reduce((sum, width) => sum + width, 0);
  let count = chips.length;
  while (count > 1 && taken(count) - CHIP_GAP + (count < chips.length ? CHIP_GAP + MORE_WIDTH : 0) > room) {
    count -= 1;
  }
  return { shown: chips.slice(0, count), folded: chips.slice(count) };
}

const measured = new Map<string, number>();
let canvas: CanvasRenderingContext2D | null | undefined;

/** The width of a chip's letters, in px. Measured once a text: thousands of rows share a few dozen names. */
export function chipTextWidth(text: string): number {
  const known = measured.get(text);
  if (known !== undefined) {
    return known;
  }
  canvas ??= document.createElement("canvas").getContext("2d");
  if (canvas) {
    canvas.font = '500 11px "Inter Variable", system-ui, sans-serif';
  }
  // half a pixel of rounding in each letter adds up
  const width = (canvas?.measureText(text).width ?? text.length * 6.5) * 1.03;
  // a fallback font is measured until Inter has arrived
  if (document.fonts.status === "loaded") {
    measured.set(text, width);
  }
  return width;
}
