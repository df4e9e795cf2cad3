/** What may be done with a campaign, how far it is, and why it waits. Pure. */
import { campaignRules, type Campaign, type CampaignCounts, type WaitReason } from "@prosa/contract/campaigns";

/** How much of a campaign may be changed: everything, only its texts, or nothing (specification 2 section 4). */
export type Editing = "all" | "texts" | "none";

/** `now` is the server's, in ms. A new campaign is `undefined`. As the server decides it (`editableParts`). */
export function editingOf(
  campaign: Pick<Campaign, "status" | "scheduledAt" | "lines"> | undefined,
  now: number,
): Editing {
  switch (campaign?.status) {
    case undefined:
    case "INATIVA":
      return "all";
    case "PROGRAMADA":
      return isLater(campaign.scheduledAt, now + campaignRules.editableBeforeMs) || awaitsImport(campaign)
        ? "all"
        : "none";
    case "CANCELADA":
      return "texts";
    default:
      return "none";
  }
}

/** Due, and not begun: rows of a file are still being added to its list. */
function awaitsImport({ lines }: Pick<Campaign, "lines">): boolean {
  return lines.some(({ pauseReason }) => pauseReason === "import");
}

function isLater(instant: string | null | undefined, than: number): boolean {
  return typeof instant === "string" && Date.parse(instant) > than;
}

/** Contacts whose result is final, of the valid ones; one that was delivered or read is among the sent. */
export function finishedOf(counts: CampaignCounts): number {
  const { sent, failed, declined, unanswered, optedOut } = counts;
  return Math.min(counts.valid, sent + failed + declined + unanswered + optedOut);
}

/** From 0 to 1, over the valid contacts (specification 2 section 4). */
export function progressOf(counts: CampaignCounts): number {
  return counts.valid === 0 ? 0 : finishedOf(counts) / counts.valid;
}

/** Why a campaign on its way waits. */
export interface Hold {
  /** `noLine`: all its lines were deleted. */
  readonly reason: WaitReason | "noLine";
  /** Undefined where nobody knows. */
  readonly until: Date | undefined;
  readonly line: string;
  /** Whether no line goes on. */
  readonly isWhole: boolean;
}

/**
 * The hold to tell of: of those of its lines the one that ends first. Undefined while nothing is held. Before its start only an
 * import of its list holds a campaign that is due.
 */
export function holdOf(
  { status, lines, scheduledAt }: Pick<Campaign, "status" | "lines" | "scheduledAt">,
  now: number,
): Hold | undefined {
  const isDue = status === "PROGRAMADA" && scheduledAt !== null && Date.parse(scheduledAt) <= now;
  if (status !== "EM_ANDAMENTO" && !isDue) {
    return undefined;
  }
  if (status === "EM_ANDAMENTO" && lines.length === 0) {
    return { reason: "noLine", until: undefined, line: "", isWhole: true };
  }
  const held = lines.flatMap(({ name, pauseReason, pausedUntil }) => {
    const until = pausedUntil === null ? undefined : new Date(pausedUntil);
    const isOver = until !== undefined && until.getTime() <= now;
    return pauseReason === null || isOver ? [] : [{ reason: pauseReason, until, line: name }];
  });
  const [first] = held.toSorted((a, b) => (a.until?.getTime() ?? Infinity) - (b.until?.getTime() ?? Infinity));
  return first && { ...first, isWhole: held.length === lines.length };
}
