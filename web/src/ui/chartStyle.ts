import { color } from "./tokens.ts";

/** What all charts look like; Recharts takes styles as props. The colours are the theme's CSS variables. */
export const chartText = { fontSize: 12, fill: color.ink2 } as const;

export const chartTooltip = {
  contentStyle: {
    border: `1px solid ${color.line}`,
    borderRadius: 8,
    backgroundColor: color.raised,
    boxShadow: color.shadow,
    fontSize: 13,
  },
  labelStyle: { color: color.ink2 },
  itemStyle: { color: color.ink },
  cursor: { fill: color.hover },
} as const;
