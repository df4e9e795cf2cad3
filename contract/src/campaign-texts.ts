/** Variables of a campaign's texts (specification 2 section 9): `{nome}`, and the keys of its settings. For browser and server. */
import { campaignContactVariables } from "./campaigns.ts";
import { nearestSpelling, type UnknownVariable } from "./unknown-variables.ts";
import { namedOnly, replaceTokens } from "./variables.ts";

/** In single braces; in double ones too, as the other texts of the product have them. */
const pattern = /\{(\{[^{}\n]+\}|[^{}\n]+)\}/g;

export interface CampaignContact {
  readonly name: string;
  readonly number: string;
  readonly email: string;
}
export interface CampaignVariable {
  readonly key: string;
  readonly value: string;
}

/** Case, accents and blanks around it do not matter: `{ Número }` is `{numero}`. Two keys that fold alike are one. */
export function foldCampaignKey(written: string): string {
  return written.replace(/[{}]/g, "").trim().toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
}

/** Whether a key cannot be added: it is there already, or a contact's own. */
export function isKnownCampaignKey(key: string, variables: readonly CampaignVariable[]): boolean {
  return [...campaignContactVariables, ...variables.map((variable) => variable.key)].some(
    (known) => foldCampaignKey(known) === foldCampaignKey(key),
  );
}

/**
 * The text as one contact gets it. Unknown tokens stay as written; one without a value goes with its comma and blank:
 * "Olá, {nome}!" is "Olá!" for a contact whose name is their number.
 */
export function fillCampaignText(
  text: string,
  contact: CampaignContact,
  variables: readonly CampaignVariable[],
): string {
  const values = new Map([
    ...variables.map(({ key, value }) => [foldCampaignKey(key), value] as const),
    ["nome", namedOnly(contact.name)] as const,
    ["numero", contact.number] as const,
    ["email", contact.email] as const,
  ]);
  return replaceTokens(text, pattern, (key) => values.get(foldCampaignKey(key)));
}

/** What an editor warns of: tokens that are no variable, each once, with the one that was probably meant. */
export function unknownCampaignVariables(text: string, variables: readonly CampaignVariable[]): UnknownVariable[] {
  const known = new Map(
    [...campaignContactVariables, ...variables.map(({ key }) => key)].map((key) => [foldCampaignKey(key), `{${key}}`]),
  );
  const written = new Map([...text.matchAll(pattern)].map(([token, key = ""]) => [token, foldCampaignKey(key)]));
  return [...written]
    .filter(([, key]) => !known.has(key))
    .map(([token, key]) => ({ token, nearest: nearestSpelling(key, known) }));
}
