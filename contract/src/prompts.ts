import { z } from "zod";
import { changesOf, done, idParams, instant, webAddress } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { citedSource } from "./knowledge.ts";

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
  transcriptionModel: "whisper-1",
  embeddingModel: "text-embedding-3-small",
  monthlyTokens: null,
  monthlyCost: null,
  inputPrice: null,
  outputPrice: null,
  readsPictures: true,
} as const;

/**
 * Why a language model gave no answer. `key`: the key is missing, wrong, or may not do this; `model`: there is no such model, or
 * it takes no such request; `limit`: too many requests or tokens for now; `quota`: the account has no credit left; `address`: no
 * service of this kind there, or a private one; `unreachable`: no connection; `timeout`; `service`: the service failed; `answer`: it
 * answered with something else than its API says; `request`: it refuses this request.
 */
export const languageModelFaults = [
  "key",
  "model",
  "limit",
  "quota",
  "address",
  "unreachable",
  "timeout",
  "service",
  "answer",
  "request",
] as const;
export type LanguageModelFault = (typeof languageModelFaults)[number];

/**
 * Why a prompt gave no answer: as its model, or `empty`, `refused`: the model would not answer; `cap`: the month's tokens or money are
 * used; `speech`: the answer went out as text, because the voice failed.
 */
export const promptFaults = [...languageModelFaults, "empty", "refused", "cap", "speech"] as const;
export type PromptFault = (typeof promptFaults)[number];

/**
 * Why a prompt finds the company's texts by their words only: as its service, or `spaces`: other prompts have as many services and
 * models of vectors as a company may have; `alike`: the vectors of its model do not tell texts apart.
 */
export const embeddingFaults = [...languageModelFaults, "spaces", "alike"] as const;
export type EmbeddingFault = (typeof embeddingFaults)[number];

/** Limits of the test box of a prompt. Each test is paid for and holds a call of up to 45 s: nobody types faster than that. */
export const promptTestRules = { maxTexts: 40, maxText: 4_000, perCompany: { max: 20, perSeconds: 60 } } as const;

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
  /** Transcribes voice messages; empty: they are not transcribed. */
  transcriptionModel: z.string(),
  /** Finds the company's texts by meaning; empty: they are found by their words only. */
  embeddingModel: z.string(),
  /** Why they are found by their words only, though a model is set. */
  embeddingFault: z.enum(embeddingFaults).nullable(),
  /** Tokens of a month after which it hands over to a person; null: no cap. */
  monthlyTokens: z.number().int().nullable(),
  /** US dollars for a million tokens of questions and of answers; null: not known. */
  inputPrice: z.number().nullable(),
  outputPrice: z.number().nullable(),
  /** US dollars of a month after which it hands over to a person; null: no cap. */
  monthlyCost: z.number().nullable(),
  /** Pictures of customers are given to its model, which must see. */
  readsPictures: z.boolean(),
  /** Of this month, in the company's time zone. `cost`: US dollars, estimated by the prices as they are now; null without one. */
  usage: z.object({ requests: z.number().int(), tokens: z.number().int(), cost: z.number().nullable() }),
  /** What failed last, until it works again. */
  fault: z.object({ kind: z.enum(promptFaults), at: instant }).nullable(),
  /** Write-only: responses only say whether a key is set. */
  hasApiKey: z.boolean(),
  hasVoiceKey: z.boolean(),
  queueId: z.number().int().nullable(),
  /** Null when the queue was deleted. */
  queue: z.object({ id: z.number().int(), name: z.string(), color: z.string() }).nullable(),
});
export type Prompt = z.output<typeof prompt>;

/** Absent: the key stays; empty: it is removed. */
const key = z
  .string()
  .trim()
  .max(500)
  // It becomes a header: what cannot be in one would be refused there, with the key in the fault's words.
  .regex(/^[!-~]*$/u, "Invalid key")
  .optional();
/** An amount of US dollars; empty: none. */
const dollars = (max: number) =>
  z.preprocess((given) => (given === "" ? null : given), z.coerce.number().min(0).max(max).nullable());
const noQueue = "Informe o setor";

export const promptBody = z.object({
  name: z.string().trim().min(1, "Required").max(100, "Too Long!"),
  prompt: z.string().trim().min(1, "Required").max(20_000, "Too Long!"),
  voice: z.enum(promptVoices).default(promptDefaults.voice),
  voiceRegion: z
    .string()
    .trim()
    .toLowerCase()
    .max(50)
    .regex(/^[a-z0-9]*$/, "Invalid region")
    .default(""),
  maxTokens: z.coerce.number().int().min(1).max(16_384).default(promptDefaults.maxTokens),
  temperature: z.coerce.number().min(0).max(2).default(promptDefaults.temperature),
  maxMessages: z.coerce.number().int().min(1).max(100).default(promptDefaults.maxMessages),
  baseUrl: webAddress.default(promptDefaults.baseUrl),
  model: z.string().trim().min(1, "Required").max(100).default(promptDefaults.model),
  transcriptionModel: z.string().trim().max(100).default(promptDefaults.transcriptionModel),
  embeddingModel: z.string().trim().max(100).default(promptDefaults.embeddingModel),
  monthlyTokens: z
    .preprocess((given) => (given === "" ? null : given), z.coerce.number().int().min(0).max(2_000_000_000).nullable())
    .default(promptDefaults.monthlyTokens),
  inputPrice: dollars(10_000).default(promptDefaults.inputPrice),
  outputPrice: dollars(10_000).default(promptDefaults.outputPrice),
  monthlyCost: dollars(1_000_000).default(promptDefaults.monthlyCost),
  readsPictures: z.boolean().default(promptDefaults.readsPictures),
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
    summary:
      "Change an AI prompt; a key that is not named stays, unless its service moves to another address or region",
    ...forAdmins,
    params: idParams,
    body: changesOf(promptBody),
    response: prompt,
  }),
  test: endpoint({
    method: "POST",
    path: "/prompt/:id/test",
    summary: "Write to an AI prompt as a customer would, without a ticket; counts as its use",
    ...forAdmins,
    params: idParams,
    body: z.object({
      /** The conversation so far, oldest first; the last text is the customer's. */
      texts: z
        .array(
          z.object({
            fromMe: z.boolean(),
            text: z.string().trim().min(1, "Required").max(promptTestRules.maxText, "Too Long!"),
          }),
        )
        .min(1, "Required")
        .max(promptTestRules.maxTexts),
    }),
    response: z.object({
      /** Empty where it hands over without a word, or failed. */
      text: z.string(),
      handsOver: z.boolean(),
      /** The passages of the company's texts that it cites. */
      sources: z.array(citedSource),
      /** Why there is no answer. */
      fault: z.enum(promptFaults).nullable(),
      /** What the service said to it. */
      detail: z.string().nullable(),
      tokens: z.number().int(),
      /** How long it thought. */
      ms: z.number().int(),
    }),
    isSlow: true,
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
