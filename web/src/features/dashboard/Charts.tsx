import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useFormat } from "#web/lib/text/format.ts";
import { color } from "#web/ui/theme.ts";
import type { Point } from "./dashboard.api.ts";

const text = { fontSize: 12, fill: color.ink2 } as const;
const tooltip = {
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

/** Days or hours from left to right. Its colours are the theme's CSS variables. */
export function TimeChart({ points, name }: { readonly points: readonly Point[]; readonly name: string }) {
  const format = useFormat();
  return (
    <ResponsiveContainer width="100%" height={240}>
      <BarChart data={[...points]} margin={{ top: 8, right: 4, bottom: 0, left: -16 }} title={name}>
        <CartesianGrid vertical={false} stroke={color.line} />
        <XAxis
          dataKey="label"
          tick={text}
          tickLine={false}
          axisLine={{ stroke: color.line }}
          // 21/11/2026 → 21/11: the year is in the filter
          tickFormatter={(label: string) => label.replace(/\/\d{4}$/u, "")}
          minTickGap={16}
        />
        <YAxis tick={text} tickLine={false} axisLine={false} allowDecimals={false} tickFormatter={format.number} />
        <Tooltip {...tooltip} />
        <Bar
          dataKey="total"
          name={name}
          fill={color.accent}
          radius={[3, 3, 0, 0]}
          maxBarSize={28}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

const rowHeight = 32;
const shownNames = 18;

/** A bar for each attendant, busiest on top. */
export function PeopleChart({ points, name }: { readonly points: readonly Point[]; readonly name: string }) {
  const format = useFormat();
  return (
    <ResponsiveContainer width="100%" height={Math.max(120, points.length * rowHeight + 24)}>
      <BarChart layout="vertical" data={[...points]} margin={{ top: 0, right: 24, bottom: 0, left: 0 }} title={name}>
        <CartesianGrid horizontal={false} stroke={color.line} />
        <XAxis
          type="number"
          tick={text}
          tickLine={false}
          axisLine={false}
          allowDecimals={false}
          tickFormatter={format.number}
        />
        <YAxis
          type="category"
          dataKey="label"
          width={132}
          tick={text}
          tickLine={false}
          axisLine={{ stroke: color.line }}
          tickFormatter={(label: string) =>
            label.length > shownNames ? `${label.slice(0, shownNames - 1).trimEnd()}…` : label
          }
          interval={0}
        />
        <Tooltip {...tooltip} />
        <Bar
          dataKey="total"
          name={name}
          fill={color.accent}
          radius={[0, 3, 3, 0]}
          maxBarSize={18}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}
