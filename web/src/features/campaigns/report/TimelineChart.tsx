import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { chartText, chartTooltip } from "#web/ui/chartStyle.ts";
import { color } from "#web/ui/theme.ts";
import { reportMessages } from "./report.i18n.ts";
import { series, type Series, type Step } from "./timeline.ts";

const seriesColors: Readonly<Record<Series, string>> = {
  sent: color.ink3,
  delivered: color.tick,
  read: color.accent,
  answered: color.warning,
};

/** Sent, delivered, read and answered over time. Its colours are the theme's CSS variables. */
export function TimelineChart({ steps, isOneDay }: { readonly steps: readonly Step[]; readonly isOneDay: boolean }) {
  const t = useMessages(reportMessages);
  const format = useFormat();
  const label = (at: string) => (isOneDay ? format.time(at) : `${format.date(at).slice(0, 5)} ${format.time(at)}`);
  return (
    <ResponsiveContainer width="100%" height={240}>
      <LineChart data={[...steps]} margin={{ top: 8, right: 12, bottom: 0, left: -16 }} title={t("timeline")}>
        <CartesianGrid vertical={false} stroke={color.line} />
        <XAxis
          dataKey="at"
          tick={chartText}
          tickLine={false}
          axisLine={{ stroke: color.line }}
          tickFormatter={label}
          minTickGap={24}
        />
        <YAxis tick={chartText} tickLine={false} axisLine={false} allowDecimals={false} tickFormatter={format.number} />
        <Tooltip labelFormatter={(at) => (typeof at === "string" ? label(at) : "")} {...chartTooltip} cursor />
        {series.map((name) => (
          <Line
            key={name}
            dataKey={name}
            name={t(name)}
            stroke={seriesColors[name]}
            strokeWidth={2}
            dot={steps.length < 3}
            type="monotone"
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}
