import { z } from "zod";
import { changesOf, done, idParams, webAddress } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Text, or an Azure neural voice for Brazilian Portuguese (specification 2 section 9). */
export const promptVoices = [
  "text",
  "pt-BR-FranciscaNeural",
  "pt-BR-AntonioNeural",
  "pt-BR-BrendaNeural",
  "pt-BR-DonatoNeural",
  "pt-BR-ElzaNeural",
  "pt-BR-FabioNeural",
  "pt-BR-GiovannaNeural",
  "pt-BR-HumbertoNeural",
  "pt-BR-JulioNeural",
  "pt-BR-LeilaNeural",
  "pt-BR-LeticiaNeural",
  "pt-BR-ManuelaNeural",
  "pt-BR-NicolauNeural",
  "pt-BR-ThalitaNeural",
  "pt-BR-ValerioNeural",
  "pt-BR-YaraNeural",
] as const;

/** Defaults of a new prompt (specification 2 section 9; behaviour 6 for the URL and the model). */
export const promptDefaults = {
  voice: "text",
  maxTokens: 100,
  temperature: 1,
  maxMessages: 10,
  baseUrl: "https://api.openai.com/v1",
  model: "gpt-4o-mini",
} as const;

export const prompt = z.object({
  id: z.number().int(),
  name: z.string(),
  prompt: z.string(),
  voice: z.string(),
  voiceRegion: z.string(),
  maxTokens: z.number().int(),
  temperature: z.number(),
  maxMessages: z.number().int(),
  baseUrl: z.string(),
  model: z.string(),
  /** Write-only: responses only say whether a key is set. */
  hasApiKey: z.boolean(),
  hasVoiceKey: z.boolean(),
  queueId: z.number().int().nullable(),
  /** Null when the queue was deleted. */
  queue: z.object({ id: z.number().int(), name: z.string(), color: z.string() }).nullable(),
});
export type Prompt = z.output<typeof prompt>;

/** Absent: the key stays; empty: it is removed. */
const key = z.string().trim().max(500).optional();
const noQueue = "Informe o setor";

export const promptBody = z.object({
  name: z.string().trim().min(1, "Required").max(100, "Too Long!"),
  prompt: z.string().trim().min(1, "Required").max(20_000, "Too Long!"),
  voice: z.enum(promptVoices).default(promptDefaults.voice),
  voiceRegion: z.string().trim().max(50).default(""),
  maxTokens: z.coerce.number().int().min(1).max(16_384).default(promptDefaults.maxTokens),
  temperature: z.coerce.number().min(0).max(2).default(promptDefaults.temperature),
  maxMessages: z.coerce.number().int().min(1).max(100).default(promptDefaults.maxMessages),
  baseUrl: webAddress.default(promptDefaults.baseUrl),
  model: z.string().trim().min(1, "Required").max(100).default(promptDefaults.model),
  apiKey: key,
  voiceKey: key,
  // "" and null are coerced to 0: no queue chosen
  queueId: z.coerce
    .number(noQueue)
    .int()
    .max(2_147_483_647)
    .refine((value) => value > 0, noQueue),
});
export type PromptBody = z.output<typeof promptBody>;

const forAdmins = { access: { who: "admin", plan: "useOpenAi" } } as const;

export const prompts = {
  list: endpoint({
    method: "GET",
    path: "/prompt",
    summary: "AI prompts of the company, by name",
    ...forAdmins,
    response: z.object({ prompts: z.array(prompt) }),
  }),
  get: endpoint({
    method: "GET",
    path: "/prompt/:id",
    summary: "One AI prompt",
    ...forAdmins,
    params: idParams,
    response: prompt,
  }),
  create: endpoint({
    method: "POST",
    path: "/prompt",
    summary: "Add an AI prompt",
    ...forAdmins,
    body: promptBody,
    response: prompt,
  }),
  update: endpoint({
    method: "PUT",
    path: "/prompt/:id",
    summary: "Change an AI prompt; a key that is not named stays",
    ...forAdmins,
    params: idParams,
    body: changesOf(promptBody),
    response: prompt,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/prompt/:id",
    summary: "Delete an AI prompt; queues and connections that chose it have none",
    ...forAdmins,
    params: idParams,
    response: done,
  }),
} as const;
