import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createModelService } from "#server/testing/model-service.ts";
import type { ModelFault, ModelService } from "#server/testing/model-service.ts";
import { createSpeech } from "./index.ts";
import type { Speech, SpeechFault } from "./index.ts";

let service: ModelService;
let speech: Speech;
beforeAll(async () => {
  service = await createModelService();
  speech = createSpeech(service.speechUrl, 1_000);
});
beforeEach(() => service.reset());
afterAll(() => service.close());

const spoken = {
  ...{ text: "oi", voice: "pt-BR-YaraNeural", region: "brazilsouth", key: "azure-1" },
  signal: AbortSignal.timeout(30_000),
};

test("speech is markup whose text cannot be markup, asked for as Azure publishes it (O-08)", async () => {
  const sound = await speech.speak({ ...spoken, text: 'Olá </voice><audio src="x"/> & \u0007"tchau"' });
  expect(Buffer.from(sound).toString("latin1")).toMatch(/^OggS/);
  expect(service.spoken).toEqual([
    expect.stringContaining(
      '<voice name="pt-BR-YaraNeural">Olá &lt;/voice&gt;&lt;audio src=&quot;x&quot;/&gt; &amp; &quot;tchau&quot;</voice>',
    ),
  ]);
  expect(service.keys).toEqual(["azure-1"]);
});

test("each fault has a name, and none of them asks twice or shows the key (O-08)", async () => {
  const faults: readonly [ModelFault, SpeechFault][] = [
    [{ status: 401 }, "key"],
    [{ status: 403 }, "key"],
    [{ status: 404 }, "region"],
    [{ status: 400 }, "text"],
    [{ status: 429 }, "limit"],
    [{ status: 500 }, "service"],
    ["drop", "service"],
    ["cut", "service"],
    ["garbage", "service"],
    ["hang", "service"],
  ];
  service.speechFaults = faults.map(([fault]) => fault);
  for (const [, fault] of faults) {
    const error: unknown = await speech.speak(spoken).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "SpeechError", fault });
    expect(String(error)).not.toContain("azure-1");
  }
  expect(service.spoken).toHaveLength(faults.length);
  for (const region of ["evil.example/", "", "a.b", "BRAZILSOUTH"]) {
    await expect(speech.speak({ ...spoken, region })).rejects.toMatchObject({ fault: "region" });
  }
  const nobody = createSpeech("http://127.0.0.1:9/{region}");
  await expect(nobody.speak(spoken)).rejects.toMatchObject({ fault: "service" });
  expect(service.spoken).toHaveLength(faults.length);
});
