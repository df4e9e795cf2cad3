import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createModelService } from "#server/testing/model-service.ts";
import type { ModelFault, ModelService } from "#server/testing/model-service.ts";
import { aFlood, anError, cutAmid, gzipBomb, inLatin1, toPrivate, withMark } from "#server/testing/odd-answers.ts";
import type { OddAnswer } from "#server/testing/odd-answers.ts";
import { createLanguageModel } from "./index.ts";
import type { ChatRequest, LanguageModel } from "./index.ts";

let service: ModelService;
let model: LanguageModel;
beforeAll(async () => {
  service = await createModelService();
  model = createLanguageModel({ baseUrl: service.url, apiKey: "sk-1", mayBePrivate: true });
});
beforeEach(() => service.reset());
afterAll(() => service.close());

const request = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "gpt-4o-mini",
  texts: [
    { role: "system", text: "Be kind." },
    { role: "user", text: "oi" },
  ],
  maxTokens: 100,
  temperature: 0.7,
  signal: AbortSignal.timeout(5_000),
  ...more,
});

test("a chat, a transcription and embeddings are asked and read as OpenAI publishes them (O-08)", async () => {
  expect(await model.chat(request())).toEqual({
    text: "OI",
    end: "complete",
    usage: { inputTokens: 40, outputTokens: 10 },
  });
  expect(service.chats).toEqual([
    {
      model: "gpt-4o-mini",
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "oi" },
      ],
      max_tokens: 100,
      temperature: 0.7,
      stream: false,
    },
  ]);
  const audio = { bytes: new Uint8Array(2_000), name: "audio.ogg", mimeType: "audio/ogg" };
  const { signal } = request();
  expect(await model.transcribe({ model: "gpt-4o-transcribe", audio, language: "pt", signal })).toEqual({
    text: "quanto custa o sofá?",
    usage: { inputTokens: 30, outputTokens: 5 },
  });
  expect(service.transcriptions).toEqual([{ model: "gpt-4o-transcribe", bytes: 2_000, name: "audio.ogg" }]);
  service.embed = (text) => [text.length, 1];
  expect((await model.embed({ model: "e", texts: ["a", "bcd"], signal })).vectors).toEqual([
    [1, 1],
    [3, 1],
  ]);
  expect(service.keys).toEqual(["sk-1", "sk-1", "sk-1"]);
});

test("an answer that was cut, filtered or refused says so (O-08)", async () => {
  const ends = [];
  for (const answer of [
    { content: "Olá, eu", finishReason: "length" },
    { content: null, finishReason: "content_filter" },
    { content: null, refusal: "No." },
  ] as const) {
    service.answer = () => answer;
    ends.push((await model.chat(request())).end);
  }
  expect(ends).toEqual(["cut", "refused", "refused"]);
});

test("what PostgreSQL cannot store is taken out of answers, and a time that was up before is a timeout (O-08)", async () => {
  service.answer = () => `a\0b\uD800 ${"c".repeat(30_000)}`;
  service.heard = "\0 oi\uDC00";
  const { text } = await model.chat(request());
  expect([text.slice(0, 5), text.length]).toEqual(["ab\uFFFD c", 20_000]);
  const audio = { bytes: new Uint8Array(1), name: "audio.ogg", mimeType: "audio/ogg" };
  const heard = await model.transcribe({ model: "whisper-1", audio, signal: request().signal });
  expect(heard.text).toBe("oi\uFFFD");
  const reason = new DOMException("late", "TimeoutError");
  await expect(model.chat(request({ signal: AbortSignal.abort(reason) }))).rejects.toMatchObject({ fault: "timeout" });
  service.answer = () => "x".repeat(2_000_000);
  await expect(model.chat(request())).rejects.toMatchObject({ canRetry: true });
});

test("a model that takes no temperature is asked without (O-08)", async () => {
  service.faults = [{ status: 400, code: "unsupported_value", param: "temperature" }];
  expect((await model.chat(request())).text).toBe("OI");
  expect(service.chats[1]).not.toHaveProperty("temperature");
});

test.each<[ModelFault, string, boolean]>([
  [{ status: 401 }, "key", false],
  [{ status: 404, code: "model_not_found" }, "model", false],
  [{ status: 404 }, "address", false],
  [{ status: 429, code: "rate_limit_exceeded" }, "limit", true],
  [{ status: 429, code: "insufficient_quota" }, "quota", false],
  [{ status: 500 }, "service", true],
  [{ status: 302 }, "address", false],
  [{ status: 400 }, "request", false],
  ["garbage", "answer", true],
  ["drop", "unreachable", true],
  ["hang", "timeout", true],
])("the fault %o is %s, and is not retried by the client (O-08)", async (fault, name, canRetry) => {
  service.faults = [fault];
  const signal = AbortSignal.timeout(fault === "hang" ? 100 : 5_000);
  await expect(model.chat(request({ signal }))).rejects.toMatchObject({ fault: name, canRetry });
  expect(service.chats).toHaveLength(1);
});

test("a private address is not called unless the operator allows it, and nobody is not there (O-08)", async () => {
  const guarded = createLanguageModel({ baseUrl: service.url, apiKey: "sk-1", mayBePrivate: false });
  await expect(guarded.chat(request())).rejects.toMatchObject({ fault: "address" });
  expect(service.chats).toEqual([]);
  const nobody = createLanguageModel({ baseUrl: "http://127.0.0.1:9/v1", apiKey: null, mayBePrivate: true });
  await expect(nobody.chat(request())).rejects.toMatchObject({ fault: "unreachable" });
});

test("odd answers of each service end with a fault in little time and memory; letters are read as they were meant (O-08)", async () => {
  const { signal } = request();
  const audio = { bytes: new Uint8Array(9), name: "audio.ogg", mimeType: "audio/ogg" };
  const flood = aFlood();
  const faults: readonly [OddAnswer, string, boolean][] = [
    [gzipBomb, "answer", true],
    [flood, "unreachable", true],
    [cutAmid({ text: "oi", choices: [], data: [] }), "unreachable", true],
    [toPrivate, "address", false],
    [anError({ message: "no credit for sk-1", code: "insufficient_quota" }), "quota", false],
    [anError({ message: "busy", code: 429 }), "limit", true],
    [anError("overloaded"), "service", true],
  ];
  const asks: readonly (() => Promise<unknown>)[] = [
    () => model.chat(request()),
    () => model.transcribe({ model: "w", audio, signal }),
    () => model.embed({ model: "e", texts: ["a"], signal }),
  ];
  for (const [index, ask] of asks.entries()) {
    for (const [answer, fault, canRetry] of faults) {
      service.faults = [answer];
      service.embeddingFaults = [answer];
      const error: unknown = await ask().catch((reason: unknown) => reason);
      expect([index, error]).toMatchObject([index, { fault, canRetry }]);
      expect(String(error)).not.toContain("sk-1");
    }
  }
  // 1 MiB of texts, 16 of vectors, and what was on its way
  expect(flood.sent).toBeLessThan(40 * 1_048_576);

  const said = { choices: [{ finish_reason: "stop", message: { content: "Olá, José: sofá à vista" } }] };
  const heard = { text: "não é só isso" };
  for (const odd of [inLatin1, (body: object) => inLatin1(body, "application/json; charset=iso-8859-1"), withMark]) {
    service.faults = [odd(said), odd(heard)];
    expect((await model.chat(request())).text).toBe("Olá, José: sofá à vista");
    expect((await model.transcribe({ model: "w", audio, signal })).text).toBe("não é só isso");
  }
  service.faults = [{ status: 429, retryAfter: "7" }];
  await expect(model.chat(request())).rejects.toMatchObject({ fault: "limit", retryAfterMs: 7_000 });
});
