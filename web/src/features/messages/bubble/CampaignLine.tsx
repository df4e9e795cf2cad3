import { Megaphone } from "lucide-react";
import { Link } from "#web/lib/routing/router.tsx";
import { hasFeature, isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import type { CampaignOfMessage } from "./campaign-of.ts";

/** Which campaign sent a message; for who may see its report a link to it. */
export function CampaignLine({ campaign: { id, name } }: { readonly campaign: CampaignOfMessage }) {
  const t = useMessages(messages);
  const user = useUser();
  const text = t("campaign", { name });
  return (
    <Line title={text}>
      <Megaphone aria-hidden size={13} />
      {isAdmin(user) && hasFeature(user, "useCampaigns") ? (
        <Link to={`/campaign/${id}/report`}>{text}</Link>
      ) : (
        <span>{text}</span>
      )}
    </Line>
  );
}

const Line = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 5,
  marginBottom: 2,
  fontSize: 12,
  fontWeight: 500,
  color: color.ink2,
  "& > svg": { flex: "none" },
  "& > a, & > span": {
    minWidth: 0,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
    color: "inherit",
  },
});

const messages = defineMessages({
  pt: { campaign: "Campanha: {name}" },
  en: { campaign: "Campaign: {name}" },
  es: { campaign: "Campaña: {name}" },
});
