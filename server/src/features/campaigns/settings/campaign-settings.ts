import {
  campaignSettingDefaults,
  campaignSettingKeys,
  campaignSettingValues,
  foldCampaignKey,
  isKnownCampaignKey,
  unknownCampaignVariables,
} from "@prosa/contract";
import type { BodyOf, ResponseOf, campaignSettings } from "@prosa/contract";
import { z } from "zod";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { campaignSettingsSaved } from "../campaigns.events.ts";
import {
  findCampaignSettings,
  findTextsToSend,
  lockCampaignSettings,
  saveCampaignSettingRows,
} from "./settings.queries.ts";

const settings = z.object(campaignSettingValues);
/** Pace (seconds, numbers of contacts) and variables of a company's campaigns. */
export type CampaignSettings = z.output<typeof settings>;

const cachedSettings: Cached<CampaignSettings> = {
  name: "campaign settings",
  staleAfter: [campaignSettingsSaved.type],
  load: async (ctx) => {
    const saved = Object.fromEntries((await findCampaignSettings(ctx)).map(({ key, value }) => [key, value]));
    return settings.parse({ ...campaignSettingDefaults, ...saved });
  },
};

/** The settings that campaigns run by (specification 2 section 9). Cached. */
export function campaignSettingsOf(ctx: Ctx): Promise<CampaignSettings> {
  return ctx.cached(cachedSettings);
}

/** Each setting with its JSON value; what was never saved has its default (K-08). */
export async function listCampaignSettings(ctx: Ctx): Promise<ResponseOf<typeof campaignSettings.list>> {
  return asRecords(await cachedSettings.load(ctx));
}

/**
 * Saves those that are given. Of the variables, what the form of `knownVariables` has not changed stays as colleagues have left it
 * meanwhile, and what they have added stays behind it.
 * ERR_VALIDATION for a key that is there twice, or is a contact's own (K-08), and where there would be too many with the colleague's;
 * ERR_CAMPAIGN_VARIABLE_IN_USE where a variable is left out that customers would read as it is written, "{cupom}".
 */
export async function saveCampaignSettings(
  ctx: Ctx,
  { settings: given, knownVariables }: BodyOf<typeof campaignSettings.save>,
): Promise<ResponseOf<typeof campaignSettings.save>> {
  const { variables = [] } = given;
  const taken = variables.findIndex(({ key }, index) => isKnownCampaignKey(key, variables.slice(0, index)));
  if (taken !== -1) {
    throw new AppError("ERR_VALIDATION", { fields: { [`settings.variables.${taken}.key`]: "Key exists" } });
  }
  const changes = given.variables
    ? { ...given, variables: await mergedWithSaved(ctx, given.variables, knownVariables) }
    : given;
  const rows = campaignSettingKeys.flatMap((key) => {
    const value = changes[key];
    return value === undefined ? [] : [{ key, value }];
  });
  if (rows.length > 0) {
    await saveCampaignSettingRows(ctx, rows);
    ctx.emit(campaignSettingsSaved);
  }
  return listCampaignSettings(ctx);
}

type Variables = CampaignSettings["variables"];

/** The variables to save; without `known` those given. Others who save wait with theirs. */
async function mergedWithSaved(ctx: Ctx, given: Variables, known: Variables | undefined): Promise<Variables> {
  await lockCampaignSettings(ctx);
  const { variables: saved } = await cachedSettings.load(ctx);
  const all = known ? mergedVariables(given, known, saved) : given;
  if (!campaignSettingValues.variables.safeParse(all).success) {
    throw new AppError("ERR_VALIDATION", { fields: { "settings.variables": "Too Long!" } });
  }
  await mustNotBeInUse(ctx, saved, all);
  return all;
}

/**
 * Pure: a variable that the form gives as it `known` it is as it was `saved` since, or gone; one that it has changed or added is its
 * own. One that it knew and leaves out goes, and one that it did not know stays.
 */
function mergedVariables(given: Variables, known: Variables, saved: Variables): Variables {
  const [givenOf, knownOf, savedOf] = [byKey(given), byKey(known), byKey(saved)];
  const kept = given.flatMap((variable) => {
    const key = foldCampaignKey(variable.key);
    return knownOf.get(key)?.value === variable.value ? (savedOf.get(key) ?? []) : variable;
  });
  const unseen = saved.filter(({ key }) => !knownOf.has(foldCampaignKey(key)) && !givenOf.has(foldCampaignKey(key)));
  return [...kept, ...unseen];
}

function byKey(variables: Variables): ReadonlyMap<string, Variables[number]> {
  return new Map(variables.map((variable) => [foldCampaignKey(variable.key), variable]));
}

async function mustNotBeInUse(ctx: Ctx, variables: Variables, kept: Variables): Promise<void> {
  for (const { name, texts } of await findTextsToSend(ctx)) {
    const text = texts.join("\n");
    const unknown = unknownCampaignVariables(text, variables).map(({ token }) => token);
    const removed = unknownCampaignVariables(text, kept).find(({ token }) => !unknown.includes(token));
    if (removed) {
      const variable = `{${foldCampaignKey(removed.token)}}`;
      throw new AppError("ERR_CAMPAIGN_VARIABLE_IN_USE", { variable, campaign: name });
    }
  }
}

function asRecords(values: CampaignSettings): ResponseOf<typeof campaignSettings.list> {
  return campaignSettingKeys.map((key) => ({ key, value: JSON.stringify(values[key]) }));
}
