/** The values of a campaign's form, its rules, and what of them is saved. Pure. */
import { campaignRules, type Campaign, type CampaignBody } from "@prosa/contract/campaigns";
import { instantOf, wallClockOf } from "@prosa/contract/zoned-time";
import type { ChosenFile } from "#web/ui/fields/FileField.tsx";
import type { Editing } from "../campaign-states.ts";

export type TextName = `${"message" | "confirmationMessage"}${1 | 2 | 3 | 4 | 5}`;
export type TextKind = "message" | "confirmationMessage";

/** The five fields of a kind, in their order. */
export function textNames(kind: TextKind): readonly TextName[] {
  return ([1, 2, 3, 4, 5] as const).map((number): TextName => `${kind}${number}`);
}

export interface CampaignValues extends Record<TextName, string> {
  readonly name: string;
  readonly confirmation: boolean;
  readonly audience: "list" | "tag";
  readonly contactListId: string;
  readonly tagListId: string;
  readonly whatsappIds: readonly number[];
  readonly when: "later" | "at" | "now";
  /** Wall-clock time in the company's time zone; counts with `when: "at"`. */
  readonly scheduledAt: string;
  readonly fileListId: string;
  readonly file: ChosenFile | null;
}

/** A new campaign begins with the only line, and is inactive; `proposed` is its time as soon as it is scheduled. */
export function valuesOf(
  campaign: Campaign | undefined,
  facts: { readonly timeZone: string; readonly proposed: Date; readonly lines: readonly { readonly id: number }[] },
): CampaignValues {
  const texts = Object.fromEntries(
    [...textNames("message"), ...textNames("confirmationMessage")].map((name) => [name, campaign?.[name] ?? ""]),
  ) as Record<TextName, string>;
  const only = facts.lines.length === 1 ? facts.lines.map(({ id }) => id) : [];
  return {
    ...texts,
    name: campaign?.name ?? "",
    confirmation: campaign?.confirmation ?? false,
    audience: campaign?.tagListId ? "tag" : "list",
    contactListId: String(campaign?.contactListId ?? ""),
    tagListId: String(campaign?.tagListId ?? ""),
    whatsappIds: campaign ? campaign.lines.map(({ id }) => id) : only,
    when: campaign?.scheduledAt ? "at" : "later",
    scheduledAt: wallClockOf(campaign?.scheduledAt ? new Date(campaign.scheduledAt) : facts.proposed, facts.timeZone),
    fileListId: String(campaign?.fileListId ?? ""),
    file: campaign?.mediaUrl ? { name: campaign.mediaName ?? "", url: campaign.mediaUrl } : null,
  };
}

/** The moment that the form asks for; null for none. */
export function timeOf(
  { when, scheduledAt }: Pick<CampaignValues, "when" | "scheduledAt">,
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): Date | null {
  switch (when) {
    case "later":
      return null;
    case "now":
      return new Date(now);
    case "at":
      return instantOf(scheduledAt, timeZone) ?? null;
  }
}

/** What is saved of the values: of a cancelled campaign only its texts. */
export function bodyOf(
  values: CampaignValues,
  editing: Editing,
  clock: { readonly timeZone: string; readonly now: number },
): Partial<CampaignBody> & { readonly name?: string } {
  const texts = Object.fromEntries(
    [...textNames("message"), ...textNames("confirmationMessage")].map((name) => [name, values[name]]),
  ) as Record<TextName, string>;
  if (editing === "texts") {
    return texts;
  }
  const isList = values.audience === "list";
  return {
    ...texts,
    name: values.name,
    confirmation: values.confirmation,
    contactListId: isList ? idOf(values.contactListId) : null,
    tagListId: isList ? null : idOf(values.tagListId),
    whatsappId: values.whatsappIds[0] ?? null,
    whatsappIds: [...values.whatsappIds],
    fileListId: idOf(values.fileListId),
    scheduledAt: timeOf(values, clock)?.toISOString() ?? null,
  };
}

function idOf(chosen: string): number | null {
  return chosen === "" ? null : Number(chosen);
}

/** The texts that are written, by their number from 1: those that contacts get. */
export function writtenVariants(values: Readonly<Record<TextName, string>>, kind: TextKind): readonly number[] {
  return textNames(kind).flatMap((name, index) => (values[name].trim() === "" ? [] : [index + 1]));
}

/** What a campaign that is sent lacks. */
export type Missing =
  | "contactListMissing"
  | "tagMissing"
  | "lineMissing"
  | "messageMissing"
  | "confirmationMissing"
  | "timeMissing"
  | "timePast";

/** What keeps a campaign from being sent at its time, by field. An inactive one may lack anything but its name. */
export function missingOf(
  values: CampaignValues,
  clock: { readonly timeZone: string; readonly now: number },
): Partial<Record<keyof CampaignValues, Missing>> {
  if (values.when === "later") {
    return {};
  }
  const at = timeOf(values, clock);
  const hasContent = writtenVariants(values, "message").length > 0 || values.file !== null || values.fileListId !== "";
  return {
    ...(values.audience === "list" && values.contactListId === "" && { contactListId: "contactListMissing" }),
    ...(values.audience === "tag" && values.tagListId === "" && { tagListId: "tagMissing" }),
    ...(values.whatsappIds.length === 0 && { whatsappIds: "lineMissing" }),
    ...(!hasContent && { message1: "messageMissing" }),
    ...(values.confirmation &&
      writtenVariants(values, "confirmationMessage").length === 0 && { confirmationMessage1: "confirmationMissing" }),
    ...(values.when === "at" && at === null && { scheduledAt: "timeMissing" }),
    ...(values.when === "at" && at !== null && at.getTime() <= clock.now && { scheduledAt: "timePast" }),
  };
}

/** Starts within the hour: after saving it cannot be changed any more. */
export function isSoon(at: Date | null, now: number): boolean {
  return at !== null && at.getTime() <= now + campaignRules.editableBeforeMs;
}
