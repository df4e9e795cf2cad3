import { CircleCheckBig, Clock, Headset, Hourglass, MessageCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { Change } from "./Change.tsx";
import type { Figures } from "./dashboard.api.ts";
import { dashboardMessages } from "./dashboard.i18n.ts";

const tilesOfNow = [
  { key: "happening", Icon: Headset, figure: "supportHappening" },
  { key: "pending", Icon: MessageCircle, figure: "supportPending" },
] as const;
const tilesOfRange = [
  { key: "finished", Icon: CircleCheckBig, figure: "supportFinished", unit: "number" },
  { key: "avgSupport", Icon: Clock, figure: "avgSupportTime", unit: "minutes" },
  { key: "avgWait", Icon: Hourglass, figure: "avgWaitTime", unit: "minutes" },
] as const;

/** The five counters (D-02): two of now, and three of the range with their change. */
export function Tiles({ figures, today }: { readonly figures: Figures | undefined; readonly today: string }) {
  const t = useMessages(dashboardMessages);
  const format = useFormat();
  const { counters, comparison } = figures ?? {};
  return (
    <List>
      {tilesOfNow.map(({ key, Icon, figure }) => (
        <Tile key={key} icon={<Icon aria-hidden size={16} />} name={t(key)} when={t("now")}>
          {counters && format.number(counters[figure])}
        </Tile>
      ))}
      {tilesOfRange.map(({ key, Icon, figure, unit }) => (
        <Tile
          key={key}
          icon={<Icon aria-hidden size={16} />}
          name={t(key)}
          when={t("inRange")}
          change={comparison && <Change figure={figure} comparison={comparison} today={today} />}
        >
          {counters && format[unit](counters[figure])}
        </Tile>
      ))}
    </List>
  );
}

function Tile(props: {
  readonly icon: ReactNode;
  readonly name: string;
  readonly when: string;
  /** The value; a skeleton until it is known. */
  readonly children: string | undefined;
  readonly change?: ReactNode;
}) {
  return (
    <div>
      <dt>
        {props.icon}
        <span>
          {props.name} <small>{props.when}</small>
        </span>
      </dt>
      <dd>
        <b>{props.children ?? <Skeleton style={{ width: 64, height: 24 }} />}</b>
        {props.change}
      </dd>
    </div>
  );
}

const List = styled("dl")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(168px, 1fr))",
  columnGap: 12,
  // between the lines of a tile; tiles are 12 px apart by their margin
  rowGap: 4,
  margin: "0 0 -8px",
  // name, value and change of all tiles of a row stand at the same heights
  "& > div": {
    gridRow: "span 3",
    display: "grid",
    gridTemplateRows: "subgrid",
    marginBottom: 8,
    padding: "14px 16px",
    border: `1px solid ${color.line}`,
    borderRadius: 8,
    backgroundColor: color.panel,
  },
  "& dt": { display: "flex", gap: 8, fontSize: 13, color: color.ink2, lineHeight: 1.35 },
  "& dt svg": { flex: "none", marginTop: 1, color: color.accent },
  "& small": { display: "block", fontSize: 12, color: color.ink2 },
  "& dd": { gridRow: "span 2", display: "grid", gridTemplateRows: "subgrid", margin: 0 },
  "& b": {
    fontSize: 26,
    fontWeight: 600,
    letterSpacing: "-0.02em",
    fontVariantNumeric: "tabular-nums",
    whiteSpace: "nowrap",
  },
  [media.phone]: {
    gridTemplateColumns: "repeat(2, minmax(0, 1fr))",
    "& > div:first-of-type": { gridColumn: "1 / -1" },
    "& b": { fontSize: 21 },
  },
});
