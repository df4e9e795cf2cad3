import type { Campaign } from "@prosa/contract/campaigns";
import { ChartColumn, Copy, EllipsisVertical, Eye, Megaphone, Pencil, Play, Plus, Square, Trash2 } from "lucide-react";
import { useState } from "react";
import {
  CampaignDialog,
  campaignMessages,
  campaignsRealtime,
  campaignsResource,
  CampaignState,
  editingOf,
  useCampaignActions,
} from "#web/features/campaigns/index.ts";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { useOpenedBy } from "#web/lib/routing/useOpenedBy.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

registerRealtime(campaignsRealtime);

/** /campaigns: messages to many, with their state and what can be done with each (K-03, K-04). */
export function Campaigns() {
  const t = useMessages(campaignMessages);
  const search = useSearch();
  const list = campaignsResource.useList({ searchParam: search.asked });
  const [isAdding, setAdding] = useOpenedBy("new");
  const [edited, setEdited] = useState<Campaign>();
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
      {t("add")}
    </Button>
  );

  return (
    <>
      <ListScreen
        title={t("title")}
        {...list}
        columns={useColumns()}
        search={{ ...search, placeholder: t("search") }}
        rowActions={(campaign) => <RowActions campaign={campaign} onEdit={() => setEdited(campaign)} />}
        onOpen={(campaign) => (hasReport(campaign) ? navigate(reportOf(campaign)) : setEdited(campaign))}
        openLabel={(campaign) => t(hasReport(campaign) ? "report" : "edit", campaign)}
        action={add}
        empty={<EmptyState icon={<Megaphone />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {(isAdding || edited) && (
        <CampaignDialog
          campaign={edited}
          onClose={() => {
            setAdding(false);
            setEdited(undefined);
          }}
        />
      )}
    </>
  );
}

/** What was never started has nothing to report: a click edits it. */
function hasReport({ status }: Campaign): boolean {
  return status !== "INATIVA" && status !== "PROGRAMADA";
}

function reportOf({ id }: Campaign): string {
  return `/campaign/${id}/report`;
}

/** Day and time: on one line on a wide screen, where the names have room as well. */
const whenWidth = "minmax(78px, 0.8fr)";

function useColumns(): Column<Campaign>[] {
  const t = useMessages(campaignMessages);
  const format = useFormat();
  const timeText = (at: string | null) =>
    at !== null && (
      <When>
        <span>{format.date(at)}</span> <span>{format.time(at)}</span>
      </When>
    );
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(120px, 1.6fr)",
      cell: ({ name }) => <Name title={name}>{name}</Name>,
    },
    {
      key: "status",
      title: t("status"),
      width: "minmax(190px, 1.8fr)",
      cell: (campaign) => <CampaignState campaign={campaign} />,
    },
    {
      key: "contacts",
      isLaptopOnly: true,
      title: t("contacts"),
      width: "minmax(90px, 1fr)",
      cell: ({ contactList, tagList }) => contactList?.name ?? (tagList ? `${t("tag")}: ${tagList.name}` : "–"),
    },
    {
      key: "connection",
      isLaptopOnly: true,
      title: t("connection"),
      width: "minmax(80px, 1fr)",
      cell: ({ lines }) => lines.map(({ name }) => name).join(", ") || "–",
    },
    { key: "scheduledAt", title: t("scheduledAt"), width: whenWidth, cell: ({ scheduledAt }) => timeText(scheduledAt) },
    {
      key: "completedAt",
      title: t("completedAt"),
      width: whenWidth,
      isLaptopOnly: true,
      cell: ({ completedAt }) => timeText(completedAt),
    },
    {
      key: "confirmation",
      isLaptopOnly: true,
      title: t("confirmation"),
      width: "92px",
      isWideOnly: true,
      cell: ({ confirmation }) => t(confirmation ? "yes" : "no"),
    },
  ];
}

function RowActions({ campaign, onEdit }: { readonly campaign: Campaign; readonly onEdit: () => void }) {
  const t = useMessages(campaignMessages);
  const actions = useCampaignActions(campaign);
  const { name, status } = campaign;
  const isFrozen = editingOf(campaign, serverNow()) === "none";
  const more: MenuAction[] = [
    { key: "clone", label: t("clone"), icon: <Copy />, onSelect: () => actions.clone() },
    ...(status === "EM_ANDAMENTO"
      ? []
      : [
          {
            key: "remove",
            label: t("remove"),
            icon: <Trash2 />,
            isDangerous: true,
            onSelect: () => void actions.remove(),
          },
        ]),
  ];
  return (
    <>
      {status === "EM_ANDAMENTO" && (
        <IconButton label={t("stop", { name })} onClick={() => void actions.cancel()}>
          <Square />
        </IconButton>
      )}
      {status === "CANCELADA" && (
        <IconButton label={t("restart", { name })} onClick={() => void actions.restart()}>
          <Play />
        </IconButton>
      )}
      <IconButton label={t("report", { name })} onClick={() => navigate(reportOf(campaign))}>
        <ChartColumn />
      </IconButton>
      <IconButton label={t(isFrozen ? "view" : "edit", { name })} onClick={onEdit}>
        {isFrozen ? <Eye /> : <Pencil />}
      </IconButton>
      <ActionMenu
        opener={(opener) => (
          <IconButton label={t("more", { name })} {...opener}>
            <EllipsisVertical />
          </IconButton>
        )}
        actions={more}
      />
    </>
  );
}

const Name = styled("b")({ fontWeight: 500 });
const When = styled("span")({
  display: "flex",
  flexWrap: "wrap",
  columnGap: 6,
  lineHeight: 1.35,
  fontVariantNumeric: "tabular-nums",
  color: color.ink2,
});
