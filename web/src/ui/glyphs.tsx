/**
 * The few icons that stand in every bubble, as constants: an icon component renders three times for each of them, and React
 * compares a constant by its identity. Their paths are Lucide's.
 */
const drawing = {
  "aria-hidden": true,
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

export const checkGlyph = (
  <svg {...drawing}>
    <path d="M20 6 9 17l-5-5" />
  </svg>
);

export const doubleCheckGlyph = (
  <svg {...drawing}>
    <path d="M18 6 7 17l-5-5m20-2-7.5 7.5L13 16" />
  </svg>
);

export const chevronDownGlyph = (
  <svg {...drawing}>
    <path d="m6 9 6 6 6-6" />
  </svg>
);
