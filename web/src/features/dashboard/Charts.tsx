import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useFormat } from "#web/lib/text/format.ts";
import { chartText, chartTooltip } from "#web/ui/chartStyle.ts";
import { color } from "#web/ui/theme.ts";
import type { Point } from "./dashboard.api.ts";

/** Days or hours from left to right. Its colours are the theme's CSS variables. */
export function TimeChart({ points, name }: { readonly points: readonly Point[]; readonly name: string }) {
  const format = useFormat();
  return (
    <ResponsiveContainer width="100%" height={240}>
      <BarChart data={[...points]} margin={{ top: 8, right: 4, bottom: 0, left: -16 }} title={name}>
        <CartesianGrid vertical={false} stroke={color.line} />
        <XAxis
          dataKey="label"
          tick={chartText}
          tickLine={false}
          axisLine={{ stroke: color.line }}
          // 21/11/2026 → 21/11: the year is in the filter
          tickFormatter={(label: string) => label.replace(/\/\d{4}$/u, "")}
          minTickGap={16}
        />
        <YAxis tick={chartText} tickLine={false} axisLine={false} allowDecimals={false} tickFormatter={format.number} />
        <Tooltip {...chartTooltip} />
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
          tick={chartText}
          tickLine={false}
          axisLine={false}
          allowDecimals={false}
          tickFormatter={format.number}
        />
        <YAxis
          type="category"
          dataKey="label"
          width={132}
          tick={chartText}
          tickLine={false}
          axisLine={{ stroke: color.line }}
          tickFormatter={(label: string) =>
            label.length > shownNames ? `${label.slice(0, shownNames - 1).trimEnd()}…` : label
          }
          interval={0}
        />
        <Tooltip {...chartTooltip} />
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
