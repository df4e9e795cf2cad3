import { CircleCheckBig, Clock, Headset, Hourglass, MessageCircle } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import type { Figures } from "./dashboard.api.ts";
import { dashboardMessages } from "./dashboard.i18n.ts";

/** The five counters (D-02): two of now, three of the range. */
export function Tiles({ counters }: { readonly counters: Figures["counters"] | undefined }) {
  const t = useMessages(dashboardMessages);
  const format = useFormat();
  const tiles = [
    { key: "happening", Icon: Headset, value: counters && format.number(counters.supportHappening), when: "now" },
    { key: "pending", Icon: MessageCircle, value: counters && format.number(counters.supportPending), when: "now" },
    {
      key: "finished",
      Icon: CircleCheckBig,
      value: counters && format.number(counters.supportFinished),
      when: "inRange",
    },
    { key: "avgSupport", Icon: Clock, value: counters && format.minutes(counters.avgSupportTime), when: "inRange" },
    { key: "avgWait", Icon: Hourglass, value: counters && format.minutes(counters.avgWaitTime), when: "inRange" },
  ] as const;
  return (
    <List>
      {tiles.map(({ key, Icon, value, when }) => (
        <div key={key}>
          <dt>
            <Icon aria-hidden size={16} />
            <span>
              {t(key)} <small>{t(when)}</small>
            </span>
          </dt>
          <dd>{value ?? <Skeleton style={{ width: 64, height: 24 }} />}</dd>
        </div>
      ))}
    </List>
  );
}

const List = styled("dl")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(168px, 1fr))",
  gap: 12,
  margin: 0,
  "& > div": {
    display: "flex",
    flexDirection: "column",
    justifyContent: "space-between",
    gap: 8,
    padding: "14px 16px",
    border: `1px solid ${color.line}`,
    borderRadius: 8,
    backgroundColor: color.panel,
  },
  "& dt": { display: "flex", gap: 8, fontSize: 13, color: color.ink2, lineHeight: 1.35 },
  "& dt svg": { flex: "none", marginTop: 1, color: color.accent },
  "& small": { display: "block", fontSize: 12, color: color.ink2 },
  "& dd": {
    margin: 0,
    fontSize: 26,
    fontWeight: 600,
    letterSpacing: "-0.02em",
    fontVariantNumeric: "tabular-nums",
    whiteSpace: "nowrap",
  },
  [media.phone]: {
    gridTemplateColumns: "repeat(2, minmax(0, 1fr))",
    "& > div:first-of-type": { gridColumn: "1 / -1" },
    "& dd": { fontSize: 21 },
  },
});
