import type { Campaign, CampaignBody } from "@prosa/contract/campaigns";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { newId } from "#web/lib/browser/random.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import type { Editing } from "../campaign-states.ts";
import { campaignOptions, putCampaign, useCampaignFile, useSaveCampaign } from "../campaigns.api.ts";
import {
  bodyOf,
  isAlreadyDone,
  partsOf,
  saveSteps,
  valuesOf,
  type CampaignValues,
  type Known,
  type Part,
} from "./campaign-form.ts";

/**
 * Saves what was changed of a campaign since the form opened with these values, and resolves with its id. A new one is made without
 * its time, under an id of this form's, and then gets it: a request whose answer was lost, made again, starts nothing twice, and
 * fails only where nothing came of it, and what is put back after it is put back on the server too. A draft keeps the time that the
 * campaign had, for a test.
 */
export function useStoreCampaign(campaign: Campaign | undefined, editing: Editing, opened: CampaignValues) {
  const { timeZone } = useUser().company;
  const queryClient = useQueryClient();
  const save = useSaveCampaign();
  const saveFile = useCampaignFile();
  const [clientId] = useState(newId);
  // Created by a test, or by a save that was not finished: the next save changes it.
  const id = useRef(campaign?.id);
  const known = useRef<Known>({ values: opened, tried: [] });

  const create = async (values: CampaignValues): Promise<number> => {
    const { scheduledAt: _time, ...body } = bodyOf(values, editing, { timeZone, now: serverNow() });
    const made = await save.mutateAsync({ id: undefined, body: { ...body, clientId } });
    id.current = made.id;
    // Of a request whose answer was lost, the values of then.
    known.current = { values: valuesOf(made, { timeZone, lines: [], proposed: new Date(serverNow()) }), tried: [] };
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
    const { when, scheduledAt } = known.current.values;
    const values = isDraft ? { ...given, when, scheduledAt } : given;
    // The time that a lost answer may have given is not a draft's to take back: the next save does.
    const isLeft = (part: Part) => isDraft && part === "scheduledAt";
    const left = known.current.tried.filter(isLeft);
    const tried = known.current.tried.filter((part) => !isLeft(part));
    for (const step of saveSteps({ ...known.current, tried }, values, editing, { timeZone, now: serverNow() })) {
      const before = known.current;
      known.current = { ...before, tried: [...before.tried, ...partsOf(step)] };
      if ("file" in step) {
        await saveFile.mutateAsync({ id: savedId, file: step.file });
        known.current = {
          values: { ...before.values, file: values.file },
          tried: before.tried.filter((part) => part !== "file"),
        };
      } else {
        await update(savedId, step.body);
      }
    }
    known.current = { values, tried: left };
    return savedId;
  };
}
