import type { LineDay } from "@prosa/contract/connections";
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { chartText, chartTooltip } from "#web/ui/chartStyle.ts";
import { color } from "#web/ui/theme.ts";
import { lineHealthMessages } from "./line-health.i18n.ts";
import { healthCounts } from "./line-health.ts";

const fills = {
  started: color.accent,
  refused: color.danger,
  failed: color.warning,
  disconnected: color.ink3,
} as const;

/** Starts, refusals, failures and disconnections by day. Its colours are the theme's CSS variables. */
export function HealthChart({ days }: { readonly days: readonly LineDay[] }) {
  const t = useMessages(lineHealthMessages);
  const format = useFormat();
  const points = days.map((day) => ({ ...day, label: format.date(day.day).replace(/\/\d{4}$/u, "") }));
  return (
    <ResponsiveContainer width="100%" height={200}>
      <BarChart data={points} margin={{ top: 8, right: 4, bottom: 0, left: -20 }} title={t("days")}>
        <CartesianGrid vertical={false} stroke={color.line} />
        <XAxis dataKey="label" tick={chartText} tickLine={false} axisLine={{ stroke: color.line }} minTickGap={20} />
        <YAxis tick={chartText} tickLine={false} axisLine={false} allowDecimals={false} tickFormatter={format.number} />
        <Tooltip {...chartTooltip} />
        <Legend
          itemSorter={null}
          iconSize={10}
          // not beyond the dialog, as the chart with its negative margin
          wrapperStyle={{ fontSize: 12, paddingTop: 4, left: 0, width: "100%" }}
          formatter={(name: string) => <span style={{ color: color.ink2 }}>{name}</span>}
        />
        {healthCounts.map((count) => (
          <Bar
            key={count}
            dataKey={count}
            name={t(count)}
            stackId="day"
            fill={fills[count]}
            maxBarSize={22}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
