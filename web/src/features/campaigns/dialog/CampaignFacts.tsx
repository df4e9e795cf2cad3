import type { Campaign } from "@prosa/contract/campaigns";
import { Lock } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import type { Editing } from "../campaign-states.ts";
import { campaignMessages } from "../campaigns.i18n.ts";
import { HoldNote, StateChip } from "../CampaignState.tsx";
import { dialogMessages } from "./dialog.i18n.ts";

/** What of a campaign cannot be changed any more. */
export function CampaignFacts({ campaign, editing }: { readonly campaign: Campaign; readonly editing: Editing }) {
  const t = useMessages(dialogMessages);
  const words = useMessages(campaignMessages);
  const format = useFormat();
  const { contactList, tagList, lines, scheduledAt, fileList, mediaName, mediaUrl } = campaign;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t("name"), campaign.name],
    contactList || !tagList ? [t("contactList"), contactList?.name] : [t("tag"), tagList.name],
    [t("lines"), lines.map(({ name }) => name).join(", ")],
    [words("confirmation"), words(campaign.confirmation ? "yes" : "no")],
    [words("scheduledAt"), scheduledAt ? `${format.date(scheduledAt)} ${format.time(scheduledAt)}` : undefined],
    [t("fileList"), fileList?.name],
  ];
  return (
    <Root>
      <p>
        <Lock aria-hidden size={14} />
        <span>{t(editing !== "texts" ? "frozen" : lines.length === 0 ? "restartedLineless" : "restarted")}</span>
      </p>
      <div>
        <StateChip status={campaign.status} />
        <HoldNote campaign={campaign} />
      </div>
      <dl>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        {mediaUrl && (
          <div>
            <dt>{words("file")}</dt>
            <dd>
              <a href={mediaUrl} target="_blank" rel="noreferrer">
                {mediaName}
              </a>
            </dd>
          </div>
        )}
      </dl>
    </Root>
  );
}

const Root = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 10,
  padding: 12,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  fontSize: 13,
  "& > p": { display: "flex", gap: 8, color: color.ink2, lineHeight: 1.4 },
  "& > p > svg": { flex: "none", marginTop: 2 },
  "& > div": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: 8 },
  "& dl": {
    display: "grid",
    gridTemplateColumns: "repeat(auto-fit, minmax(min(180px, 100%), 1fr))",
    gap: "8px 16px",
    margin: 0,
  },
  "& dt": { fontSize: 12, color: color.ink2 },
  "& dd": { margin: 0, overflowWrap: "anywhere" },
});
