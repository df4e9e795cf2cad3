/**
 * Palette of queues and tags: 49 colors (specification 2 section 9, which does not list them). Fourteen OKLCH hues at
 * three lightnesses, then seven neutrals. All are distinguishable, and black or white text is readable on each.
 */
// prettier-ignore
export const paletteColors = [
  "#d73246", "#c45305", "#a76c02", "#8e7a06", "#6b8700", "#05933d", "#008f76",
  "#048b91", "#0387ac", "#027cda", "#6265ed", "#9352d9", "#b641b4", "#cd3482",
  "#900e26", "#7f3301", "#6b4300", "#5a4d01", "#435502", "#035e24", "#055b4a",
  "#04585c", "#00556e", "#034e8c", "#3c3ca1", "#602d93", "#781f77", "#891252",
  "#ff9595", "#fe9a6a", "#efa744", "#d1b73c", "#a7c659", "#72d084", "#2bd4b1",
  "#07d0d8", "#2cc9fb", "#7fbcfe", "#a5b1ff", "#c9a1ff", "#e896e4", "#fc90bd",
  "#343d38", "#6b727a", "#a8afb5", "#4b2d1f", "#7d5b40", "#a9926b", "#dacda9",
] as const;
