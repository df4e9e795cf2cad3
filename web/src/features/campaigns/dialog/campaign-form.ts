/** The values of a campaign's form, its rules, and what of them is saved, in which order. Pure. */
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
  { timeZone, now }: Clock,
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

interface Clock {
  readonly timeZone: string;
  /** The server's, in ms. */
  readonly now: number;
}

/** What a campaign has of the values: a cancelled one its texts, and lines, where all that it had were deleted. */
export function bodyOf(values: CampaignValues, editing: Editing, clock: Clock): Partial<CampaignBody> {
  const texts = Object.fromEntries(
    [...textNames("message"), ...textNames("confirmationMessage")].map((name) => [name, values[name]]),
  ) as Record<TextName, string>;
  const lines = { whatsappId: values.whatsappIds[0] ?? null, whatsappIds: [...values.whatsappIds] };
  if (editing === "texts") {
    return { ...texts, ...lines };
  }
  const isList = values.audience === "list";
  return {
    ...texts,
    ...lines,
    name: values.name,
    confirmation: values.confirmation,
    contactListId: isList ? idOf(values.contactListId) : null,
    tagListId: isList ? null : idOf(values.tagListId),
    fileListId: idOf(values.fileListId),
    scheduledAt: timeOf(values, clock)?.toISOString() ?? null,
  };
}

/** Fields of a body that are one choice: who gets it, and by which lines. */
const together: readonly (readonly (keyof CampaignBody)[])[] = [
  ["contactListId", "tagListId"],
  ["whatsappId", "whatsappIds"],
];

/** A part that a request saves by itself. */
export type Part = keyof CampaignBody | "file";

/** What the server has of a campaign, as far as the form knows. */
export interface Known {
  readonly values: CampaignValues;
  /** Of failed saves. An answer may have been lost, so the server has the values of these, or those that were tried. */
  readonly tried: readonly Part[];
}

/** Of the body what is not known to be stored: what colleagues changed since the values were read stays. */
export function changedBodyOf(
  { values: before, tried }: Known,
  values: CampaignValues,
  editing: Editing,
  clock: Clock,
): Partial<CampaignBody> {
  const [known, body] = [bodyOf(before, editing, clock), bodyOf(values, editing, clock)];
  const isChanged = (name: keyof CampaignBody) =>
    tried.includes(name) || JSON.stringify(body[name]) !== JSON.stringify(known[name]);
  const names = (Object.keys(body) as (keyof CampaignBody)[]).filter((name) =>
    (together.find((group) => group.includes(name)) ?? [name]).some(isChanged),
  );
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

/** A request that saves a part: fields, or the file; null takes it off. */
type SaveStep = { readonly body: Partial<CampaignBody> } | { readonly file: File | null };

/**
 * The requests that save the changes of a campaign. A campaign must be whole after each of them, and one that starts at once must
 * have all that it sends by then: a new file comes before the fields, and one that is taken off between the fields that replace it
 * and the time.
 */
export function saveSteps(known: Known, values: CampaignValues, editing: Editing, clock: Clock): SaveStep[] {
  const { scheduledAt, ...others } = changedBodyOf(known, values, editing, clock);
  const isStored = values.file === known.values.file && !known.tried.includes("file");
  const file = editing === "all" && !isStored ? fileToSave(values.file) : undefined;
  // Without a time it may lack anything.
  const fields = scheduledAt === null ? { ...others, scheduledAt } : others;
  const time = scheduledAt ? { scheduledAt } : {};
  const steps: SaveStep[] =
    file === null
      ? [{ body: fields }, { file }, { body: time }]
      : [...(file ? [{ file }] : []), { body: { ...fields, ...time } }];
  return steps.filter((step) => "file" in step || Object.keys(step.body).length > 0);
}

/** Statuses of a campaign that has its time: it waits for it, is being sent, or is over. */
const underWay: readonly Campaign["status"][] = ["PROGRAMADA", "EM_ANDAMENTO", "FINALIZADA"];

/**
 * Is a campaign on its way as this body asks for? A request whose answer was lost may have started it; made again it is refused,
 * since nothing of it can be changed any more, and is done all the same.
 */
export function isAlreadyDone(
  campaign: Campaign,
  { scheduledAt, ...fields }: Partial<CampaignBody>,
  clock: Clock,
): boolean {
  if (!scheduledAt || campaign.scheduledAt === null || !underWay.includes(campaign.status)) {
    return false;
  }
  const [wanted, at] = [Date.parse(scheduledAt), Date.parse(campaign.scheduledAt)];
  const { timeZone, now } = clock;
  const stored = bodyOf(valuesOf(campaign, { timeZone, proposed: new Date(now), lines: [] }), "all", clock);
  return (
    // "now" is another moment in each request
    (wanted === at || Math.max(wanted, at) <= now) &&
    Object.entries(fields).every(
      ([name, value]) => JSON.stringify(value) === JSON.stringify(stored[name as keyof CampaignBody]),
    )
  );
}

/** The parts that a request saves. */
export function partsOf(step: SaveStep): Part[] {
  return "file" in step ? ["file"] : (Object.keys(step.body) as (keyof CampaignBody)[]);
}

/** A new file, null to take off what is stored, or undefined for the stored one. */
function fileToSave(chosen: CampaignValues["file"]): File | null | undefined {
  return chosen === null || chosen instanceof File ? chosen : undefined;
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
export function missingOf(values: CampaignValues, clock: Clock): Partial<Record<keyof CampaignValues, Missing>> {
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
