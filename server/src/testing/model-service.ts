import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenAI } from "openai";
import { z } from "zod";
import type { OddAnswer } from "./odd-answers.ts";

const part = z.union([
  z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.strictObject({ url: z.string().regex(/^data:image\/jpeg;base64,[A-Za-z0-9+/]+=*$/) }),
  }),
]) satisfies z.ZodType<OpenAI.ChatCompletionContentPart>;

function readParts(parts: readonly z.output<typeof part>[]): { content: string; pictures: string[] } {
  return {
    content: parts.flatMap((each) => (each.type === "text" ? each.text : [])).join("\n"),
    pictures: parts.flatMap((each) => (each.type === "image_url" ? each.image_url.url : [])),
  };
}

/** The request of a chat, as OpenAI publishes it; a field that is not listed is not sent by this product. */
const chatBody = z
  .strictObject({
    model: z.string().min(1),
    messages: z
      .array(
        z.strictObject({ role: z.enum(["system", "assistant"]), content: z.string().min(1) }).or(
          z.strictObject({ role: z.literal("user"), content: z.string().min(1).or(z.array(part).min(2)) }).transform(
            // Tests read the text; the pictures stand beside it.
            ({ role, content }) => (typeof content === "string" ? { role, content } : { role, ...readParts(content) }),
          ),
        ),
      )
      .min(1),
    max_tokens: z.number().int().positive().optional(),
    max_completion_tokens: z.number().int().positive().optional(),
    temperature: z.number().min(0).max(2).optional(),
    stream: z.literal(false),
  })
  .transform((body) => body satisfies ExactChat);
/** Of the client's own types: a name or a type that OpenAI does not know fails here. */
type ExactChat = Partial<Record<keyof OpenAI.ChatCompletionCreateParamsNonStreaming, unknown>>;
export type ChatBody = z.output<typeof chatBody>;

/** The request of vectors, as OpenAI publishes it: at most 2,048 texts, none empty. */
const embeddingBody = z
  .strictObject({
    model: z.string().min(1),
    input: z.array(z.string().min(1)).min(1).max(2_048),
    encoding_format: z.literal("float"),
  })
  .transform((body) => body satisfies Partial<OpenAI.EmbeddingCreateParams>);

/** The form of a recording, as OpenAI publishes it: it knows the format by the file's ending, and takes 25 MB. */
const transcriptionForm = z
  .strictObject({
    model: z.string().min(1),
    file: z
      .instanceof(File)
      .refine(({ name }) => /\.(?:flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/u.test(name), "unknown format")
      .refine(({ size }) => size > 0 && size <= 25 * 1024 * 1024, "empty, or too large"),
    response_format: z.literal("json"),
    language: z
      .string()
      .regex(/^[a-z]{2}$/u)
      .optional(),
  })
  .transform((body) => body satisfies Partial<OpenAI.Audio.TranscriptionCreateParamsNonStreaming>);

/** How the service behaves in one call. */
export type ModelFault =
  | { readonly status: number; readonly code?: string; readonly param?: string; readonly retryAfter?: string }
  | "garbage"
  | "drop"
  | "cut"
  | "hang"
  | OddAnswer;

export interface ModelService {
  /** The base URL of the API. */
  readonly url: string;
  /** The address of the speech service, for AZURE_SPEECH_URL. */
  readonly speechUrl: string;
  /** Every request that came, in order, whether it was answered or not. */
  readonly chats: readonly ChatBody[];
  readonly transcriptions: readonly { readonly model: string; readonly bytes: number; readonly name: string }[];
  readonly embedded: readonly z.output<typeof embeddingBody>[];
  /** SSML. */
  readonly spoken: readonly string[];
  /** Bearer keys of the requests. */
  readonly keys: readonly string[];
  /** What it answers; default: the last text of the customer, in capitals. */
  answer: (body: ChatBody) => ModelAnswer | string;
  heard: string;
  /** The vector of a text. */
  embed: (text: string) => number[];
  /** The most recordings that it had to transcribe at a time. */
  mostHeardAtOnce: number;
  /** Milliseconds that it thinks. */
  delayMs: number;
  /** Faults of the next calls, in order; then it answers. */
  faults: ModelFault[];
  /** Faults of the next calls for vectors, besides `faults`. */
  embeddingFaults: ModelFault[];
  /** The fault of any call for vectors with this text among others. */
  faultOfText: (text: string) => ModelFault | undefined;
  /** The fault of any recording of so many bytes. */
  faultOfRecording: (bytes: number) => ModelFault | undefined;
  /** Faults of the next calls of the speech service. */
  speechFaults: ModelFault[];
  /** Happens before it speaks. */
  onSpeech: (() => Promise<void>) | undefined;
  /** Happens before it answers a chat. */
  onChat: (() => Promise<void>) | undefined;
  reset(): void;
  close(): Promise<void>;
}

export interface ModelAnswer {
  readonly content: string | null;
  readonly finishReason?: OpenAI.ChatCompletion.Choice["finish_reason"];
  readonly refusal?: string;
}

/** Words of one meaning, by their beginnings. */
const topics = [
  "hora abre abri sabad func segun sext loja aber",
  "paga cart pix bole dinheiro debi parc form credi",
  "arrep devol desis troc volt compr reemb valor",
  "demor entreg chega prazo fret dias transp capit casa",
  "queb conser garan defei repar assis meses nota apare",
  "senha entrar acess conta login recup redef esque",
  "carro estac veic subso deixa cheg rua entrada",
  "contrat vaga empre curri trabal recur humanos publ",
].map((words) => words.split(" "));

/** As a model that knows the words of some topics and nothing of others: a component for each topic, and noise by which no two texts are one. */
function vectorByTopics(text: string): number[] {
  const words =
    text
      .normalize("NFD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z]{3,}/gu) ?? [];
  const known = topics.flatMap((topic) => {
    const count = words.filter((word) => topic.some((start) => word.startsWith(start))).length;
    // Each has many components, as in a real model.
    return Array.from({ length: 8 }, () => count);
  });
  const noise = Array.from({ length: 64 }, (_, index) => {
    const hash = [...text].reduce(
      (sum, letter) => (sum * 31 + letter.charCodeAt(0) + index * 7_919) % 65_521,
      index + 1,
    );
    return (hash / 65_521 - 0.5) / 2;
  });
  return [...known, ...noise];
}

const sound = Buffer.from("T2dnUwACAAAAAAAAAAA=", "base64");

/** A local service that speaks OpenAI's published API for chat, audio and embeddings, and Azure's for speech, with faults on demand. */
export async function createModelService(port = 0, voice: Buffer = sound): Promise<ModelService> {
  const chats: ChatBody[] = [];
  const transcriptions: { model: string; bytes: number; name: string }[] = [];
  const embedded: z.output<typeof embeddingBody>[] = [];
  const spoken: string[] = [];
  const keys: string[] = [];
  const sockets = new Set<ServerResponse>();
  const heardNow = new Set<ServerResponse>();
  const echo = ({ messages }: ChatBody) => (messages.at(-1)?.content ?? "").toUpperCase();

  const server = createServer((request, response) => {
    sockets.add(response);
    response.on("close", () => sockets.delete(response));
    serve(request, response).catch((error: unknown) => {
      // A request that is not of the API: the test sees the reason in the answer.
      if (!response.headersSent && !response.destroyed) {
        reply(response, 400, {
          error: { message: String(error), type: "invalid_request_error", code: null, param: null },
        });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: bound } = server.address() as AddressInfo;

  const service: ModelService = {
    url: `http://127.0.0.1:${bound}/v1`,
    speechUrl: `http://127.0.0.1:${bound}/{region}`,
    chats,
    transcriptions,
    embedded,
    spoken,
    keys,
    embed: vectorByTopics,
    embeddingFaults: [],
    faultOfText: () => undefined,
    faultOfRecording: () => undefined,
    answer: echo,
    heard: "quanto custa o sofá?",
    mostHeardAtOnce: 0,
    delayMs: 0,
    faults: [],
    speechFaults: [],
    onSpeech: undefined,
    onChat: undefined,
    reset() {
      for (const list of [chats, transcriptions, embedded, spoken, keys]) {
        list.length = 0;
      }
      Object.assign(service, {
        embed: vectorByTopics,
        embeddingFaults: [],
        faultOfText: () => undefined,
        faultOfRecording: () => undefined,
        answer: echo,
        heard: "quanto custa o sofá?",
        mostHeardAtOnce: 0,
        delayMs: 0,
        faults: [],
        speechFaults: [],
        onSpeech: undefined,
        onChat: undefined,
      });
    },
    async close() {
      sockets.forEach((response) => response.destroy());
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return service;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bodyOf(request);
    if (request.url?.endsWith("/cognitiveservices/v1")) {
      await speak(request, response, bytes.toString());
      return;
    }
    keys.push((request.headers.authorization ?? "").replace("Bearer ", ""));
    const isHeard = request.url?.endsWith("/transcriptions") === true;
    if (isHeard) {
      heardNow.add(response);
      response.on("close", () => heardNow.delete(response));
      service.mostHeardAtOnce = Math.max(service.mostHeardAtOnce, heardNow.size);
    }
    const answer = await answerTo(request, bytes);
    if (service.delayMs > 0) {
      await sleep(service.delayMs);
    }
    const isVectors = request.url === "/v1/embeddings";
    const ofTexts = () => embedded.at(-1)?.input.flatMap((text) => service.faultOfText(text) ?? [])[0];
    const ofRecording = () => isHeard && service.faultOfRecording(transcriptions.at(-1)?.bytes ?? 0);
    const fault = isVectors ? (service.embeddingFaults.shift() ?? ofTexts()) : ofRecording() || service.faults.shift();
    if (!(await failed(response, fault))) {
      reply(response, 200, answer);
    }
  }

  async function answerTo(request: IncomingMessage, bytes: Buffer): Promise<unknown> {
    switch (request.url) {
      case "/v1/chat/completions":
        await service.onChat?.();
        return complete(chatBody.parse(JSON.parse(bytes.toString())));
      case "/v1/embeddings": {
        const body = embeddingBody.parse(JSON.parse(bytes.toString()));
        embedded.push(body);
        const data = body.input.map((text, index) => ({ object: "embedding", index, embedding: service.embed(text) }));
        return { object: "list", model: "m", data: data.toReversed(), usage: { prompt_tokens: 7, total_tokens: 7 } };
      }
      case "/v1/audio/transcriptions": {
        const headers = { "content-type": request.headers["content-type"] ?? "" };
        const form = await new Response(new Uint8Array(bytes), { headers }).formData();
        const { model, file } = transcriptionForm.parse(Object.fromEntries(form));
        transcriptions.push({ model, bytes: file.size, name: file.name });
        // The older model counts no tokens.
        if (model === "whisper-1") {
          return { text: service.heard, usage: { type: "duration", seconds: 3 } };
        }
        return { text: service.heard, usage: { type: "tokens", input_tokens: 30, output_tokens: 5, total_tokens: 35 } };
      }
      default:
        throw new Error(`no such path: ${request.url}`);
    }
  }

  function complete(body: ChatBody): OpenAI.ChatCompletion {
    chats.push(body);
    const said = service.answer(body);
    const { content, finishReason = "stop", refusal = null } = typeof said === "string" ? { content: said } : said;
    return {
      id: `chatcmpl-${chats.length}`,
      object: "chat.completion",
      created: 1_790_000_000,
      model: body.model,
      choices: [
        { index: 0, finish_reason: finishReason, logprobs: null, message: { role: "assistant", content, refusal } },
      ],
      usage: { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 },
    };
  }

  async function speak(request: IncomingMessage, response: ServerResponse, ssml: string): Promise<void> {
    keys.push(String(request.headers["ocp-apim-subscription-key"]));
    spoken.push(ssml);
    await service.onSpeech?.();
    if (await failed(response, service.speechFaults.shift())) {
      return;
    }
    const isAsPublished =
      request.headers["content-type"] === "application/ssml+xml" &&
      request.headers["x-microsoft-outputformat"] === "ogg-24khz-16bit-mono-opus" &&
      request.headers["user-agent"] !== undefined;
    response.writeHead(isAsPublished ? 200 : 400, { "content-type": "audio/ogg" }).end(isAsPublished ? voice : "");
  }

  async function failed(response: ServerResponse, fault: ModelFault | undefined): Promise<boolean> {
    if (fault === undefined) {
      return false;
    }
    if (typeof fault === "function") {
      fault(response);
    } else if (fault === "drop") {
      response.destroy();
    } else if (fault === "cut") {
      // dropped in the middle of its answer
      response.writeHead(200, { "content-length": "5000" });
      response.write(voice.subarray(0, 8), () => response.destroy());
    } else if (fault === "garbage") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"choices": "');
    } else if (fault !== "hang") {
      const { status, code = null, param = null, retryAfter } = fault;
      if (retryAfter !== undefined) {
        response.setHeader("retry-after", retryAfter);
      }
      // A careless service repeats the key.
      reply(response, status, {
        error: { message: `status ${status} for ${keys.at(-1)}`, type: "error", code, param },
      });
    }
    return true;
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
