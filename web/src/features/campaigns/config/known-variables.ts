import { foldCampaignKey, type CampaignVariable } from "@prosa/contract/campaign-texts";

type Variables = readonly CampaignVariable[];

/**
 * Pure: what a form that saves `wanted` tells the server to know of the variables (`knownVariables`), so that what it has not changed
 * stays as colleagues have left it. One that it took off is known, and one that it leaves as it was when it opened. One that a save
 * before, whose answer was lost or which was refused, has `tried` otherwise counts as its own.
 */
export function knownVariables(
  wanted: Variables,
  { opened, tried }: { readonly opened: Variables; readonly tried: readonly Variables[] },
): CampaignVariable[] {
  const before = [opened, ...tried].map(valuesOf);
  const isWanted = valuesOf(wanted);
  const seen = new Map([...opened, ...tried.flat()].map((variable) => [foldCampaignKey(variable.key), variable]));
  return [...seen].flatMap(([key, variable]) =>
    !isWanted.has(key) || before.every((values) => values.get(key) === variable.value) ? [variable] : [],
  );
}

function valuesOf(variables: Variables): ReadonlyMap<string, string> {
  return new Map(variables.map(({ key, value }) => [foldCampaignKey(key), value]));
}
