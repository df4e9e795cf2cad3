import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { PanelTabs, TabList, TabPanel } from "#web/ui/PanelTabs.tsx";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { campaignOptions } from "../campaigns.api.ts";
import { Recipients } from "./Recipients.tsx";
import { ReportCards } from "./ReportCards.tsx";
import { ReportHead } from "./ReportHead.tsx";
import { reportMessages } from "./report.i18n.ts";
import { Timeline } from "./Timeline.tsx";

/** What a campaign has reached, live: progress, figures, chart, and each contact (K-07). */
export function CampaignReport({ id }: { readonly id: number }) {
  const t = useMessages(reportMessages);
  const query = useQuery({ ...campaignOptions(id), staleTime: 0 });
  const [tab, setTab] = useState<"overview" | "recipients">("overview");
  const campaign = query.data;

  if (query.isError && !campaign) {
    return isGone(query.error) ? (
      <EmptyState
        icon={<SearchX />}
        title={t("gone")}
        action={<Button onClick={() => navigate("/campaigns")}>{t("back")}</Button>}
      />
    ) : (
      <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (!campaign) {
    return <Loading aria-busy />;
  }
  return (
    <Root>
      <ReportHead campaign={campaign} />
      <PanelTabs selected={tab} onSelect={setTab}>
        <TabRow>
          <TabList
            label={t("tabs")}
            tabs={(["overview", "recipients"] as const).map((key) => ({ key, label: t(key) }))}
          />
        </TabRow>
        <Overview value="overview">
          <ReportCards campaign={campaign} />
          <Timeline campaign={campaign} />
        </Overview>
        <Panel value="recipients">
          <Recipients campaign={campaign} />
        </Panel>
      </PanelTabs>
    </Root>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function Loading(props: { readonly "aria-busy": true }) {
  return (
    <Root {...props}>
      <Grey>
        <Skeleton style={{ width: 240, height: 20 }} />
        <Skeleton style={{ height: 8 }} />
        <Skeleton style={{ height: 160 }} />
      </Grey>
    </Root>
  );
}

const Root = styled("section")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  backgroundColor: color.background,
});
const TabRow = styled("div")({
  flex: "none",
  padding: "0 10px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.panel,
});
const shown = { flex: 1, minHeight: 0, flexDirection: "column", "&:not([hidden])": { display: "flex" } } as const;
const Panel = styled(TabPanel)(shown);
const Overview = styled(TabPanel)({
  ...shown,
  gap: 16,
  padding: "16px 20px 32px",
  overflowY: "auto",
  "& > *": { flex: "none" },
  [media.phone]: { padding: "12px 12px 32px" },
});
const Grey = styled("div")({ display: "flex", flexDirection: "column", gap: 16, padding: 20 });
