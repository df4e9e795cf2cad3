import type { Campaign, CampaignCounts } from "@prosa/contract/campaigns";
import {
  Ban,
  Check,
  CheckCheck,
  CircleHelp,
  CircleX,
  Eye,
  MessageCircle,
  ThumbsUp,
  UserCheck,
  type LucideIcon,
} from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { reportMessages } from "./report.i18n.ts";

type CardKey = Extract<
  keyof CampaignCounts,
  "valid" | "confirmationRequested" | "confirmed" | "sent" | "delivered" | "read" | "answered" | "failed" | "optedOut"
>;

/** In the order of a campaign's life. */
const cards: readonly { readonly key: CardKey; readonly Icon: LucideIcon }[] = [
  { key: "valid", Icon: UserCheck },
  { key: "confirmationRequested", Icon: CircleHelp },
  { key: "confirmed", Icon: ThumbsUp },
  { key: "sent", Icon: Check },
  { key: "delivered", Icon: CheckCheck },
  { key: "read", Icon: Eye },
  { key: "answered", Icon: MessageCircle },
  { key: "failed", Icon: CircleX },
  { key: "optedOut", Icon: Ban },
];

/** The figures of a campaign with their share of the valid contacts (K-07); without confirmation without its two. */
export function ReportCards({ campaign }: { readonly campaign: Campaign }) {
  const t = useMessages(reportMessages);
  const format = useFormat();
  const { counts, confirmation } = campaign;
  const share = (value: number) =>
    counts.valid === 0 ? undefined : format.number(Math.round((100 * value) / counts.valid));
  const left = counts.invalid + counts.duplicate;

  return (
    <List data-many={confirmation || undefined}>
      {cards
        .filter(({ key }) => confirmation || (key !== "confirmationRequested" && key !== "confirmed"))
        .map(({ key, Icon }) => (
          <div key={key} data-card={key}>
            <dt>
              <Icon aria-hidden size={16} />
              <span>{t(`card_${key}`)}</span>
            </dt>
            <dd>
              <b>{format.number(counts[key])}</b>
              {key === "valid"
                ? left > 0 && <small>{t("leftOut", { count: left, shown: format.number(left) })}</small>
                : share(counts[key]) !== undefined && <small>{t("share", { percent: share(counts[key])! })}</small>}
            </dd>
          </div>
        ))}
    </List>
  );
}

const List = styled("dl")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(132px, 1fr))",
  gap: 12,
  // nine in two rows, not a row with one left over
  "&[data-many]": { gridTemplateColumns: "repeat(auto-fit, minmax(190px, 1fr))" },
  margin: 0,
  "& > div": {
    display: "flex",
    flexDirection: "column",
    gap: 4,
    padding: "12px 14px",
    border: `1px solid ${color.line}`,
    borderRadius: 8,
    backgroundColor: color.panel,
  },
  "& dt": { display: "flex", gap: 8, fontSize: 13, color: color.ink2, lineHeight: 1.35 },
  "& dt svg": { flex: "none", marginTop: 1, color: color.accent },
  "& [data-card='failed'] svg, & [data-card='optedOut'] svg": { color: color.danger },
  "& dd": { display: "flex", flexDirection: "column", margin: 0, lineHeight: 1.35 },
  "& b": { fontSize: 24, fontWeight: 600, letterSpacing: "-0.02em", fontVariantNumeric: "tabular-nums" },
  "& small": { fontSize: 12, color: color.ink2 },
  [media.phone]: {
    "&, &[data-many]": { gridTemplateColumns: "repeat(2, minmax(0, 1fr))", gap: 8 },
    "& b": { fontSize: 20 },
  },
});
