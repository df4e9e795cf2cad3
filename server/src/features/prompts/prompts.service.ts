import { embeddingFaults, promptFaults } from "@prosa/contract";
import type { BodyOf, Prompt, PromptBody, prompts, Queue } from "@prosa/contract";
import { clearReferencesInConnections } from "#server/features/connections/index.ts";
import { embedJob } from "#server/features/knowledge/index.ts";
import { getQueue, queuesOf, clearReferencesInQueues } from "#server/features/queues/index.ts";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import type { Vault } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import { refusePrivateAddress } from "#server/platform/net/index.ts";
import { monthOf } from "./month.ts";
import {
  deletePrompt,
  findPrompt,
  findPrompts,
  insertPrompt,
  keyContext,
  lockPrompt,
  savePrompt,
} from "./prompts.queries.ts";
import type { PromptRow, PromptRowChanges } from "./prompts.queries.ts";

/** What saving a prompt needs besides the transaction. */
export interface PromptTools {
  readonly vault: Vault;
  /** The operator allows language models in private networks. */
  readonly mayBePrivate: boolean;
}

type PromptChanges = BodyOf<typeof prompts.update>;

/** Every prompt of the company, by name. */
export async function listPrompts(ctx: Ctx): Promise<Prompt[]> {
  const month = await monthOf(ctx);
  const [rows, queues] = await Promise.all([findPrompts(ctx, month), queuesOf(ctx)]);
  return rows.map((row) => promptView(row, queues));
}

export async function getPrompt(ctx: Ctx, id: number): Promise<Prompt> {
  const row = await findPrompt(ctx, id, await monthOf(ctx));
  if (!row) {
    throw notFound(id);
  }
  return promptView(row, await queuesOf(ctx));
}

/** Throws ERR_NAME_TAKEN, ERR_NO_QUEUE_FOUND, ERR_VALIDATION for an address that must not be called. */
export async function createPrompt(ctx: Ctx, tools: PromptTools, body: PromptBody): Promise<Prompt> {
  await validate(ctx, tools, body);
  refuseCapWithoutPrices(body);
  const { name, prompt, voice, model } = body;
  const id = await refuseTakenName(() =>
    insertPrompt(ctx, {
      name,
      prompt,
      voice,
      voice_region: body.voiceRegion,
      max_tokens: body.maxTokens,
      temperature: body.temperature,
      max_messages: body.maxMessages,
      base_url: body.baseUrl,
      model,
      queue_id: body.queueId,
      transcription_model: body.transcriptionModel,
      embedding_model: body.embeddingModel,
      monthly_tokens: body.monthlyTokens,
      monthly_cost: body.monthlyCost,
      input_price: body.inputPrice,
      output_price: body.outputPrice,
      reads_pictures: body.readsPictures,
    }),
  );
  // The encryption context contains the row's id, so the row is inserted first.
  await savePrompt(ctx, id, keysOf(ctx, tools.vault, id, body));
  const details = { baseUrl: body.baseUrl, model, queueId: body.queueId };
  await recordAudit(ctx, { action: "prompt.created", target: targetOf(id, name), details });
  ctx.emit(promptEvent("created", id));
  ctx.enqueue(embedJob(ctx.companyId));
  return getPrompt(ctx, id);
}

/** Changes the given fields. Throws as createPrompt. A key that is not given again does not move with its service. */
export async function updatePrompt(ctx: Ctx, tools: PromptTools, id: number, body: PromptChanges): Promise<Prompt> {
  const before = await lockedPrompt(ctx, id);
  await validate(ctx, tools, body);
  refuseCapWithoutPrices({ ...before, ...body });
  const columns: PromptRowChanges = {
    name: body.name,
    prompt: body.prompt,
    voice: body.voice,
    voice_region: body.voiceRegion,
    max_tokens: body.maxTokens,
    temperature: body.temperature,
    max_messages: body.maxMessages,
    base_url: body.baseUrl,
    model: body.model,
    queue_id: body.queueId,
    transcription_model: body.transcriptionModel,
    embedding_model: body.embeddingModel,
    monthly_tokens: body.monthlyTokens,
    monthly_cost: body.monthlyCost,
    input_price: body.inputPrice,
    output_price: body.outputPrice,
    reads_pictures: body.readsPictures,
    ...(asksAnew(body) && { embedding_fault: null, embedding_fault_at: null }),
    ...keysOf(ctx, tools.vault, id, { ...leftBehind(before, body), ...body }),
  };
  await refuseTakenName(() => savePrompt(ctx, id, columns));
  const after = await getPrompt(ctx, id);
  const details = changedFields(shownOf(before), { ...shownOf(after), apiKey: body.apiKey, voiceKey: body.voiceKey }, [
    "apiKey",
    "voiceKey",
  ]);
  if (details) {
    await recordAudit(ctx, { action: "prompt.updated", target: targetOf(id, after.name), details });
  }
  ctx.emit(promptEvent("updated", id));
  if (asksAnew(body)) {
    ctx.enqueue(embedJob(ctx.companyId));
  }
  return after;
}

/** Is another service asked for vectors, or with another key or model? What failed before says nothing of it. */
function asksAnew({ baseUrl, embeddingModel, apiKey }: PromptChanges): boolean {
  return baseUrl !== undefined || embeddingModel !== undefined || apiKey !== undefined;
}

/** The prompt, locked until the transaction ends. Throws ERR_NOT_FOUND. */
async function lockedPrompt(ctx: Ctx, id: number): Promise<PromptRow> {
  const row = (await lockPrompt(ctx, id)) && (await findPrompt(ctx, id, await monthOf(ctx)));
  if (!row) {
    throw notFound(id);
  }
  return row;
}

/**
 * The keys that are removed because their service is another one now: who may change an address but does not know its key would
 * have it sent there.
 */
function leftBehind(before: PromptRow, { baseUrl, voiceRegion }: PromptChanges): PromptChanges {
  const isMoved = baseUrl !== undefined && new URL(baseUrl).origin !== new URL(before.baseUrl).origin;
  // Without a region the key was sent nowhere.
  const isVoiceMoved = voiceRegion !== undefined && before.voiceRegion !== "" && voiceRegion !== before.voiceRegion;
  return { ...(isMoved && { apiKey: "" }), ...(isVoiceMoved && { voiceKey: "" }) };
}

/** What the audit log compares: all that people set. */
function shownOf({
  id: _id,
  usage: _usage,
  fault: _fault,
  embeddingFault: _vectors,
  queue: _queue,
  ...fields
}: Partial<Prompt>) {
  return fields;
}

function targetOf(id: number, name: string) {
  return { type: "prompt", id, name } as const;
}

/** Deletes a prompt and clears the references of queues, connections and tickets to it. */
export async function removePrompt(ctx: Ctx, id: number): Promise<void> {
  const { name } = await lockedPrompt(ctx, id);
  await recordAudit(ctx, { action: "prompt.deleted", target: targetOf(id, name) });
  await clearReferencesInQueues(ctx, { promptId: id });
  await clearReferencesInConnections(ctx, { promptId: id });
  await deletePrompt(ctx, id);
  ctx.emit(promptEvent("deleted", id));
  ctx.enqueue(embedJob(ctx.companyId));
}

async function validate(ctx: Ctx, { mayBePrivate }: PromptTools, { queueId, baseUrl }: PromptChanges): Promise<void> {
  if (!mayBePrivate) {
    refusePrivateAddress("baseUrl", baseUrl);
  }
  if (queueId !== undefined) {
    await getQueue(ctx, queueId);
  }
}

/** Without both prices the cost of a month is not known, and its cap would never hold. Zero is a price. */
function refuseCapWithoutPrices({
  monthlyCost,
  inputPrice,
  outputPrice,
}: Pick<PromptChanges, "monthlyCost" | "inputPrice" | "outputPrice">): void {
  const missing = Object.entries({ inputPrice, outputPrice }).filter(([, price]) => typeof price !== "number");
  if (typeof monthlyCost === "number" && missing.length > 0) {
    throw new AppError("ERR_VALIDATION", { fields: Object.fromEntries(missing.map(([field]) => [field, "Required"])) });
  }
}

/** The encrypted keys as columns: undefined leaves a key unchanged, an empty one removes it. */
function keysOf(ctx: Ctx, vault: Vault, id: number, { apiKey, voiceKey }: PromptChanges): PromptRowChanges {
  const seal = (key: string, name: "apiKey" | "voiceKey") =>
    key === "" ? null : vault.seal(key, keyContext(ctx.companyId, id, name));
  return {
    ...(apiKey !== undefined && { api_key: seal(apiKey, "apiKey") }),
    ...(voiceKey !== undefined && { voice_key: seal(voiceKey, "voiceKey") }),
  };
}

function promptView(row: PromptRow, queues: readonly Queue[]): Prompt {
  const queue = queues.find(({ id }) => id === row.queueId);
  const { requests, tokens, cost, faultKind, faultAt, embeddingFaultKind, embeddingFaultAt: _at, ...fields } = row;
  // A fault that only a later release knows is one of the service.
  const known = <Fault extends string>(faults: readonly Fault[], found: string) =>
    faults.find((each) => each === found) ?? "service";
  return {
    ...fields,
    usage: { requests, tokens, cost },
    fault: faultKind !== null && faultAt ? { kind: known(promptFaults, faultKind), at: faultAt.toISOString() } : null,
    embeddingFault: embeddingFaultKind === null ? null : known(embeddingFaults, embeddingFaultKind),
    queue: queue ? { id: queue.id, name: queue.name, color: queue.color } : null,
  };
}

export function promptEvent(change: "created" | "updated" | "deleted", promptId: number): DomainEvent {
  return { type: `prompt.${change}`, payload: { promptId } };
}

async function refuseTakenName<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (brokenConstraint(error) === "prompts_company_id_name_key") {
      throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
    }
    throw error;
  }
}

export function notFound(promptId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { promptId });
}
