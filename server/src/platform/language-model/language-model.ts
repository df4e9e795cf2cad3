import { APIError, BadRequestError, OpenAI, toFile } from "openai";
import { z } from "zod";
import { guardedFetch } from "../net/index.ts";
import { storableText } from "../storable-text.ts";
import { truncateText } from "../truncate-text.ts";
import { LanguageModelError } from "./language-model-error.ts";
import { faultOfBody, readFault } from "./read-fault.ts";

/** Where a language model is, and what opens it. */
export interface LanguageModelService {
  /** Of an API compatible with OpenAI's: https://api.openai.com/v1. A user may have written it. */
  readonly baseUrl: string;
  /** Decrypted for this call only; null: the service asks for none. */
  readonly apiKey: string | null;
  /** The operator allows models in private networks. */
  readonly mayBePrivate: boolean;
}

/** A text of a conversation. What customers wrote has the role `user`, without exception: only `system` gives orders. */
export interface ChatText {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
  /** Of the role `user` only. A model that sees nothing is asked again without them. */
  readonly pictures?: readonly Picture[];
}

export interface Picture {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export interface ChatRequest {
  readonly model: string;
  /** Oldest first. */
  readonly texts: readonly ChatText[];
  /** Tokens of the answer, at most. */
  readonly maxTokens: number;
  /** 0 to 2. */
  readonly temperature: number;
  readonly signal: AbortSignal;
}

export interface ChatAnswer {
  /** Trimmed, well-formed, without NUL, of 20,000 letters at most; may be empty. */
  readonly text: string;
  /** `cut`: it reached `maxTokens`; `refused`: the model or a filter of the service will not answer. */
  readonly end: "complete" | "cut" | "refused";
  readonly usage: TokenUsage;
}

/** What a call cost; 0 where the service does not say. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface TranscriptionRequest {
  readonly model: string;
  readonly audio: { readonly bytes: Uint8Array; readonly name: string; readonly mimeType: string };
  /** ISO 639-1, where it is known. */
  readonly language?: string;
  readonly signal: AbortSignal;
}

export interface EmbeddingRequest {
  readonly model: string;
  /** At least one, none empty. */
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * A client of one language model. Every call throws LanguageModelError where it gets no answer (`fault` says why, `canRetry`
 * whether a job should try again); an aborted signal throws its reason. Nothing is retried here. Never call it within a
 * transaction.
 */
export interface LanguageModel {
  /** The next text of a conversation. No tools: a model can do nothing but answer. */
  chat(request: ChatRequest): Promise<ChatAnswer>;
  /** What is said in a recording; the text is cleaned as that of a chat. */
  transcribe(request: TranscriptionRequest): Promise<{ readonly text: string; readonly usage: TokenUsage }>;
  /** A vector for each text, in their order. */
  embed(
    request: EmbeddingRequest,
  ): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly usage: TokenUsage }>;
}

/** A call takes at most this long (ms); a signal may end it sooner. */
const timeoutMs = 60_000;
/** Vectors are long, texts are not. */
const maxBytes = { embeddings: 16 * 1024 * 1024, text: 1024 * 1024 } as const;
/** Letters that are kept of a chat's answer or a transcript; half an hour of speech has about as many. */
const maxTextLetters = 20_000;

export function createLanguageModel({ baseUrl, apiKey, mayBePrivate }: LanguageModelService): LanguageModel {
  const fetchText = guardedFetch({ mayBePrivate, maxBytes: maxBytes.text });
  const fetchVectors = guardedFetch({ mayBePrivate, maxBytes: maxBytes.embeddings });
  const client = new OpenAI({
    baseURL: baseUrl,
    // Servers in the own house ask for none, but the client insists.
    apiKey: apiKey ?? "none",
    // Else the client would take them from the environment of this process.
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: "off",
    fetch: (input, init) => (String(input).endsWith("/embeddings") ? fetchVectors : fetchText)(input, init),
  });
  async function call<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      throw readFault(error, signal, apiKey);
    }
  }

  /** The parts of an answer that are read. Throws for one that is an error in spite of its status, or none of this API. */
  function read<T>(schema: z.ZodType<T>, answer: unknown): T {
    const { success, data, error } = schema.safeParse(answer);
    if (!success) {
      throw faultOfBody(answer, apiKey) ?? error;
    }
    return data;
  }

  const lengthField = isOpenAi(baseUrl) ? "max_completion_tokens" : "max_tokens";

  async function complete(request: ChatRequest, withLimits: boolean): Promise<unknown> {
    const { model, texts, maxTokens, temperature, signal } = request;
    const messages = texts.map((each) => messageOf(each));
    const limits = withLimits ? { [lengthField]: maxTokens, temperature } : { max_completion_tokens: maxTokens };
    return client.chat.completions.create({ model, messages, ...limits, stream: false }, { signal });
  }

  /** With the pictures; without them where the service refuses that. */
  async function completeSeeing(request: ChatRequest, withLimits: boolean): Promise<unknown> {
    try {
      return await complete(request, withLimits);
    } catch (error) {
      const isBlind = error instanceof APIError && refusedPictures.has(error.status as number) && !isLimits(error);
      if (!isBlind || !request.texts.some(({ pictures = [] }) => pictures.length > 0)) {
        throw error;
      }
      const texts = request.texts.map(({ role, text }) => ({ role, text }));
      return complete({ ...request, texts }, withLimits);
    }
  }

  return {
    async chat(request) {
      return call(request.signal, async () => {
        try {
          return toAnswer(read(completion, await completeSeeing(request, true)));
        } catch (error) {
          // Reasoning models take no temperature, and count their tokens otherwise.
          if (isLimits(error)) {
            return toAnswer(read(completion, await completeSeeing(request, false)));
          }
          throw error;
        }
      });
    },
    async transcribe({ model, audio, language, signal }) {
      return call(signal, async () => {
        const { bytes, name, mimeType } = audio;
        const file = await toFile(bytes, name, { type: mimeType });
        const answer = await client.audio.transcriptions.create(
          { model, file, response_format: "json", ...(language !== undefined && { language }) },
          { signal },
        );
        const { text, usage } = read(transcription, answer);
        return { text: keptText(text), usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens } };
      });
    },
    async embed({ model, texts, signal }) {
      return call(signal, async () => {
        const answer = await client.embeddings.create(
          { model, input: [...texts], encoding_format: "float" },
          { signal },
        );
        const { data, usage } = read(embeddings, answer);
        const vectors = data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => embedding);
        if (vectors.length !== texts.length) {
          throw new LanguageModelError("answer", `${vectors.length} vectors for ${texts.length} texts`);
        }
        return { vectors, usage: { inputTokens: usage.prompt_tokens, outputTokens: 0 } };
      });
    },
  };
}

/** What services answer whose model takes no pictures: there is no common code for it. */
const refusedPictures: ReadonlySet<number> = new Set([400, 404, 413, 415, 422]);

function messageOf({ role, text, pictures = [] }: ChatText): OpenAI.ChatCompletionMessageParam {
  if (role !== "user" || pictures.length === 0) {
    return { role, content: text };
  }
  const shown = pictures.map(({ mimeType, bytes }) => ({
    type: "image_url" as const,
    image_url: { url: `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}` },
  }));
  return { role, content: [{ type: "text", text }, ...shown] };
}

function isLimits(error: unknown): boolean {
  return error instanceof BadRequestError && isAboutLimits(error);
}

function isAboutLimits({ param, code }: BadRequestError): boolean {
  const isUnsupported = code === "unsupported_parameter" || code === "unsupported_value";
  return isUnsupported && (param === "temperature" || param === "max_tokens" || param === "max_completion_tokens");
}

/** Others know the older name of the parameter, which newer models of OpenAI refuse. */
function isOpenAi(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === "api.openai.com";
}

const tokens = z.number().int().nonnegative().catch(0);

/** The parts of the answers that are read; "compatible" services leave others out. */
const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: tokens, completion_tokens: tokens })
    .nullish()
    .transform((usage) => usage ?? { prompt_tokens: 0, completion_tokens: 0 }),
});

const transcription = z.object({
  text: z.string(),
  usage: z
    .object({ input_tokens: tokens, output_tokens: tokens })
    .nullish()
    .transform((usage) => usage ?? { input_tokens: 0, output_tokens: 0 }),
});

const embeddings = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1) })),
  usage: z
    .object({ prompt_tokens: tokens })
    .nullish()
    .transform((usage) => usage ?? { prompt_tokens: 0 }),
});

/** As it can be stored, and no longer than is kept: the call is paid for, and must not fail then. */
function keptText(text: string): string {
  return truncateText(storableText(text).trim(), maxTextLetters).trimEnd();
}

function toAnswer({ choices, usage }: z.output<typeof completion>): ChatAnswer {
  const { finish_reason: reason, message } = choices[0]!;
  const isRefused = reason === "content_filter" || (message.refusal ?? "") !== "";
  return {
    text: keptText(message.content ?? ""),
    end: isRefused ? "refused" : reason === "length" ? "cut" : "complete",
    usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
  };
}
