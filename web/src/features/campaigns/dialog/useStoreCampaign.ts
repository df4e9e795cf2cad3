import type { Campaign, CampaignBody } from "@prosa/contract/campaigns";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import type { Editing } from "../campaign-states.ts";
import { campaignOptions, putCampaign, useCampaignFile, useSaveCampaign } from "../campaigns.api.ts";
import { bodyOf, isAlreadyDone, saveSteps, valuesOf, type CampaignValues } from "./campaign-form.ts";

/**
 * Saves what was changed of a campaign since the form opened with these values, and resolves with its id. A new one is made without
 * its time, under an id of this form's, and then gets it: a request whose answer was lost, made again, starts nothing twice, and
 * fails only where nothing came of it. A draft keeps the time that the campaign had, for a test.
 */
export function useStoreCampaign(campaign: Campaign | undefined, editing: Editing, opened: CampaignValues) {
  const { timeZone } = useUser().company;
  const queryClient = useQueryClient();
  const save = useSaveCampaign();
  const saveFile = useCampaignFile();
  const [clientId] = useState(() => crypto.randomUUID());
  // Created by a test, or by a save that was not finished: the next save changes it.
  const id = useRef(campaign?.id);
  /** What the server has, as far as this form knows. */
  const stored = useRef(opened);

  const create = async (values: CampaignValues): Promise<number> => {
    const { scheduledAt: _time, ...body } = bodyOf(values, editing, { timeZone, now: serverNow() });
    const made = await save.mutateAsync({ id: undefined, body: { ...body, clientId } });
    id.current = made.id;
    // Of a request whose answer was lost, the values of then.
    stored.current = valuesOf(made, { timeZone, lines: [], proposed: new Date(serverNow()) });
    return made.id;
  };

  const update = async (savedId: number, body: Partial<CampaignBody>): Promise<void> => {
    try {
      await save.mutateAsync({ id: savedId, body });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "ERR_CAMPAIGN_NOT_EDITABLE") {
        throw error;
      }
      const found = await queryClient.fetchQuery({ ...campaignOptions(savedId), staleTime: 0 });
      putCampaign(queryClient, found);
      if (!isAlreadyDone(found, body, { timeZone, now: serverNow() })) {
        throw error;
      }
    }
  };

  return async (given: CampaignValues, { isDraft = false } = {}): Promise<number> => {
    const savedId = id.current ?? (await create(given));
    const { when, scheduledAt } = stored.current;
    const values = isDraft ? { ...given, when, scheduledAt } : given;
    for (const step of saveSteps(stored.current, values, editing, { timeZone, now: serverNow() })) {
      if ("file" in step) {
        await saveFile.mutateAsync({ id: savedId, file: step.file });
        stored.current = { ...stored.current, file: values.file };
      } else {
        await update(savedId, step.body);
      }
    }
    stored.current = values;
    return savedId;
  };
}
