import type { Campaign } from "@prosa/contract/campaigns";
import { PauseCircle } from "lucide-react";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { finishedOf, holdOf, progressOf } from "./campaign-states.ts";
import { useHoldText } from "./campaign-words.ts";
import { campaignMessages } from "./campaigns.i18n.ts";

/** The state of a campaign as a tinted chip, in the specification's words. */
export function StateChip({ status }: { readonly status: Campaign["status"] }) {
  const t = useMessages(campaignMessages);
  return (
    <Chip data-status={status}>
      <i aria-hidden />
      {t(`status_${status}`)}
    </Chip>
  );
}

/** Why a campaign on its way waits and until when; nothing while it goes on. */
export function HoldNote({ campaign }: { readonly campaign: Campaign }) {
  const holdText = useHoldText();
  const text = useOfMinute((now) => {
    const hold = holdOf(campaign, now);
    return hold ? holdText(hold, now) : "";
  });
  return (
    text !== "" && (
      <Held>
        <PauseCircle aria-hidden size={14} />
        <span>{text}</span>
      </Held>
    )
  );
}

/** State, progress and hold for a row of the list. */
export function CampaignState({ campaign }: { readonly campaign: Campaign }) {
  const t = useMessages(campaignMessages);
  const format = useFormat();
  const { name, status, counts } = campaign;
  const hasProgress = status === "EM_ANDAMENTO" || status === "CANCELADA";
  return (
    <State>
      <Line>
        <StateChip status={status} />
        {hasProgress && (
          <small>
            {t("progress", { done: format.number(finishedOf(counts)), valid: format.number(counts.valid) })}
          </small>
        )}
      </Line>
      {status === "EM_ANDAMENTO" && <ProgressBar label={t("progressOf", { name })} value={progressOf(counts)} />}
      <HoldNote campaign={campaign} />
    </State>
  );
}

const tints: Readonly<Record<Campaign["status"], string>> = {
  INATIVA: color.ink3,
  PROGRAMADA: color.tick,
  EM_ANDAMENTO: color.accent,
  CANCELADA: color.danger,
  FINALIZADA: color.ink2,
};

const Chip = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  padding: "2px 8px",
  borderRadius: 10,
  fontSize: 12,
  lineHeight: "16px",
  fontWeight: 500,
  whiteSpace: "nowrap",
  color: color.ink,
  "& i": { flex: "none", width: 7, height: 7, borderRadius: "50%" },
  ...Object.fromEntries(
    Object.entries(tints).map(([status, tint]) => [
      `&[data-status='${status}']`,
      { backgroundColor: `color-mix(in srgb, ${tint} 14%, transparent)`, "& i": { backgroundColor: tint } },
    ]),
  ),
});
const State = styled("span")({
  display: "flex",
  flexDirection: "column",
  gap: 4,
  padding: "6px 0",
  whiteSpace: "normal",
});
const Line = styled("span")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: "2px 8px",
  "& small": { fontSize: 12, color: color.ink2, whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" },
});
const Held = styled("span")({
  display: "flex",
  alignItems: "flex-start",
  gap: 6,
  fontSize: 12,
  lineHeight: 1.35,
  color: color.warningInk,
  whiteSpace: "normal",
  overflowWrap: "anywhere",
  "& > svg": { flex: "none", marginTop: 1 },
});
