import { campaignRules } from "@prosa/contract";
import type { CampaignStatus } from "@prosa/contract";

/** What moves a campaign from one state to another. Nothing else does (specification 2 section 4). */
export type CampaignStep = "schedule" | "unschedule" | "start" | "cancel" | "restart" | "finish";

const transitions: Readonly<Record<CampaignStatus, Partial<Record<CampaignStep, CampaignStatus>>>> = {
  INATIVA: { schedule: "PROGRAMADA", unschedule: "INATIVA" },
  PROGRAMADA: { schedule: "PROGRAMADA", unschedule: "INATIVA", start: "EM_ANDAMENTO" },
  EM_ANDAMENTO: { cancel: "CANCELADA", finish: "FINALIZADA" },
  CANCELADA: { restart: "EM_ANDAMENTO" },
  FINALIZADA: {},
};

/** The state after a step; undefined where the step is not allowed. */
export function stateAfter(status: CampaignStatus, step: CampaignStep): CampaignStatus | undefined {
  return transitions[status][step];
}

/** The fields on which it depends what may be changed. */
export interface CampaignTimes {
  readonly status: CampaignStatus;
  readonly scheduledAt: Date | null;
}

/**
 * What of a campaign may be changed now: a cancelled one keeps its texts open, for the restart (specification 2 section 4). One that is
 * due and waits for the import of its list has not begun: its time can still be taken back.
 */
export function editableParts(
  { status, scheduledAt, awaitsImport }: CampaignTimes & { readonly awaitsImport: boolean },
  now: Date,
): "all" | "texts" | "nothing" {
  switch (status) {
    case "INATIVA":
      return "all";
    case "PROGRAMADA":
      return awaitsImport ||
        (scheduledAt !== null && scheduledAt.getTime() - now.getTime() > campaignRules.editableBeforeMs)
        ? "all"
        : "nothing";
    case "CANCELADA":
      return "texts";
    default:
      return "nothing";
  }
}

/** A scheduled campaign starts at its time, never before; one that was missed starts at once (behaviour 7). */
export function isDue({ status, scheduledAt }: CampaignTimes, now: Date): boolean {
  return status === "PROGRAMADA" && scheduledAt !== null && scheduledAt <= now;
}
