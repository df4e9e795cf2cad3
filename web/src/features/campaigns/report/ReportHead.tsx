import type { Campaign } from "@prosa/contract/campaigns";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Download, FileSpreadsheet, FileText, Play, Square } from "lucide-react";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu } from "#web/ui/Menu.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { campaignSettingsOptions } from "../campaigns.api.ts";
import { campaignMessages } from "../campaigns.i18n.ts";
import { HoldNote, StateChip } from "../CampaignState.tsx";
import { finishedOf, holdOf, progressOf } from "../campaign-states.ts";
import { useDurationText } from "../campaign-words.ts";
import { sendingSeconds } from "../estimate.ts";
import { useCampaignActions } from "../useCampaignActions.ts";
import { useExport } from "./report.api.ts";
import { reportMessages } from "./report.i18n.ts";

/** Name, state and progress of a campaign, with what can be done with it (K-04, K-07). */
export function ReportHead({ campaign }: { readonly campaign: Campaign }) {
  const t = useMessages(reportMessages);
  const words = useMessages(campaignMessages);
  const format = useFormat();
  const actions = useCampaignActions(campaign);
  const { name, status, counts } = campaign;
  const percent = `${format.number(Math.floor(100 * progressOf(counts)))}%`;
  return (
    <Head>
      <Line>
        <Back to="/campaigns" aria-label={t("back")} data-tooltip={t("back")}>
          <ArrowLeft aria-hidden size={18} />
        </Back>
        <h1>{name}</h1>
        <StateChip status={status} />
        <Buttons>
          <ExportMenu campaign={campaign} />
          {status === "EM_ANDAMENTO" && (
            <Button icon={<Square size={15} />} onClick={() => void actions.cancel()}>
              {t("stop")}
            </Button>
          )}
          {status === "CANCELADA" && (
            <Button kind="primary" icon={<Play size={15} />} onClick={() => void actions.restart()}>
              {t("restart")}
            </Button>
          )}
        </Buttons>
      </Line>
      <Progress>
        <ProgressBar label={words("progressOf", { name })} value={progressOf(counts)} />
        <p>
          <b>
            {words("progressLong", {
              count: counts.valid,
              done: format.number(finishedOf(counts)),
              valid: format.number(counts.valid),
              percent,
            })}
          </b>
          <Times campaign={campaign} />
        </p>
        <HoldNote campaign={campaign} />
      </Progress>
    </Head>
  );
}

/** When it began and ended, or how long it still takes. */
function Times({ campaign }: { readonly campaign: Campaign }) {
  const t = useMessages(reportMessages);
  const format = useFormat();
  const durationText = useDurationText();
  const pace = useQuery(campaignSettingsOptions).data;
  const { status, scheduledAt, startedAt, completedAt, counts, lines } = campaign;
  const isHeld = useOfMinute((now) => holdOf(campaign, now)?.isWhole ?? false);
  const moment = (at: string) => `${format.date(at)} ${format.time(at)}`;
  const left = counts.valid - finishedOf(counts);
  return (
    <>
      {startedAt === null && scheduledAt !== null && <span>{t("scheduled", { time: moment(scheduledAt) })}</span>}
      {startedAt !== null && <span>{t("started", { time: moment(startedAt) })}</span>}
      {completedAt !== null && <span>{t("completed", { time: moment(completedAt) })}</span>}
      {status === "EM_ANDAMENTO" && !isHeld && pace && left > 1 && (
        <span>{t("left", { duration: durationText(sendingSeconds(left, lines.length, pace)) })}</span>
      )}
    </>
  );
}

function ExportMenu({ campaign }: { readonly campaign: Campaign }) {
  const t = useMessages(reportMessages);
  const { mutate, isPending } = useExport(campaign);
  const save = (format: "csv" | "xlsx") =>
    mutate(format, { onSuccess: () => toast.success(t("exported")), onError: (error) => toast.failure(error) });
  return (
    <ActionMenu
      align="end"
      opener={(opener) => (
        <IconButton label={t("export")} disabled={isPending} {...opener}>
          <Download />
        </IconButton>
      )}
      actions={[
        { key: "csv", label: t("exportCsv"), icon: <FileText />, onSelect: () => save("csv") },
        { key: "xlsx", label: t("exportXlsx"), icon: <FileSpreadsheet />, onSelect: () => save("xlsx") },
      ]}
    />
  );
}

const Head = styled("header")({
  flex: "none",
  display: "flex",
  flexDirection: "column",
  gap: 10,
  padding: "11px 20px 14px",
  backgroundColor: color.panel,
  [media.phone]: { padding: "12px 12px 14px" },
});
const Line = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 10,
  minHeight: 38,
  "& > h1": { minWidth: 0, fontSize: 18, fontWeight: 600, letterSpacing: "-0.01em", overflowWrap: "anywhere" },
  // beside the way back
  [media.phone]: { "& > h1": { flex: "1 1 70%", fontSize: 16 } },
});
const Buttons = styled("div")({ display: "flex", gap: 8, marginLeft: "auto" });
const Back = styled(Link)({
  flex: "none",
  display: "grid",
  placeItems: "center",
  width: 32,
  height: 32,
  marginLeft: -6,
  borderRadius: 8,
  color: color.ink2,
  "&:hover": { backgroundColor: color.hover, color: color.ink },
  [media.coarse]: { width: size.finger, height: size.finger },
});
const Progress = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  "& > p": { display: "flex", flexWrap: "wrap", gap: "2px 16px", fontSize: 13, color: color.ink2 },
  "& b": { fontWeight: 600, color: color.ink, fontVariantNumeric: "tabular-nums" },
  // in the list it is a line of a row, here it is what the screen is about
  "& > [role=progressbar]": { height: 8, borderRadius: 4 },
});
