import type { Campaign } from "@prosa/contract/campaigns";
import { useRef } from "react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import type { Editing } from "../campaign-states.ts";
import { useCampaignFile, useSaveCampaign } from "../campaigns.api.ts";
import { bodyOf, type CampaignValues } from "./campaign-form.ts";

/**
 * Saves a campaign with its file, and resolves with its id. The time comes last: a campaign that starts at once must have its
 * file by then. A draft keeps the time that the campaign had, for a test.
 */
export function useStoreCampaign(campaign: Campaign | undefined, editing: Editing) {
  const { timeZone } = useUser().company;
  const save = useSaveCampaign();
  const saveFile = useCampaignFile();
  // Created by a test, or by a save whose file was refused: the next save changes it.
  const id = useRef(campaign?.id);
  const stored = useRef<CampaignValues["file"]>(campaign?.mediaUrl ? { name: "", url: campaign.mediaUrl } : null);

  return async (values: CampaignValues, { isDraft = false } = {}): Promise<number> => {
    const { scheduledAt, ...body } = bodyOf(values, editing, { timeZone, now: serverNow() });
    const withTime = { ...body, ...(editing === "all" && !isDraft && { scheduledAt: scheduledAt ?? null }) };
    const file = editing === "all" ? changeOf(values.file, stored.current) : undefined;
    const isKnown = id.current !== undefined;
    if (file === undefined) {
      const saved = await save.mutateAsync({ id: id.current, body: withTime });
      id.current = saved.id;
      return saved.id;
    }
    const savedId = isKnown ? id.current! : (await save.mutateAsync({ id: undefined, body })).id;
    id.current = savedId;
    await saveFile.mutateAsync({ id: savedId, file });
    stored.current = values.file;
    if (isKnown || withTime.scheduledAt) {
      await save.mutateAsync({ id: savedId, body: withTime });
    }
    return savedId;
  };
}

/** A new file, null to take the stored one off, or undefined where nothing changes. */
function changeOf(chosen: CampaignValues["file"], stored: CampaignValues["file"]): File | null | undefined {
  if (chosen === stored) {
    return undefined;
  }
  if (chosen instanceof File) {
    return chosen;
  }
  return chosen === null && stored !== null ? null : undefined;
}
