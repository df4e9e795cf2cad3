import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createCaller } from "./calls/index.ts";
import { detectIntent } from "./protocols/index.ts";
import type { Caller, Talk } from "./protocols/index.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

const integration = {
  ...{ id: 1, name: "Agente", url: "", secret: "", typebotSlug: "", delayMs: 0, expiresMinutes: 0 },
  ...{ keywordFinish: "", keywordRestart: "", restartMessage: "", unknownMessage: "" },
  ...{ projectName: "", location: "global", language: "pt-BR" },
  account: JSON.stringify({ client_email: "a@b.example", private_key: privateKey, project_id: "padaria" }),
};
const talk = (location: string): Talk => ({
  integration: { ...integration, location },
  said: [{ id: 1, type: "chat", text: "oi", mediaUrl: null, mimeType: null, fileName: null, sentAt: "" }],
  ...{ contact: { id: 1, name: "Maria", number: null, email: "" }, ticket: null, connection: null },
  ...{
    conversation: "prosa-1-2",
    session: null,
    isRepeated: false,
    farewell: "",
    at: new Date("2026-11-26T00:00:00Z"),
  },
});
const granted = { status: 200, retryAfter: undefined, isCut: false, text: '{"access_token":"ya29","expires_in":3600}' };

test("Google is called at the agent's region, with the region in the session's name, as its clients do (O-09)", async () => {
  const called: string[] = [];
  const caller: Caller = {
    post: async (url) => {
      called.push(url);
      return url.includes("/token") ? granted : { ...granted, text: '{"queryResult":{"fulfillmentText":"Oi"}}' };
    },
  };
  for (const location of ["global", "southamerica-east1"]) {
    expect((await detectIntent(undefined)(talk(location), caller)).parts).toEqual([{ text: "Oi", mediaUrl: null }]);
  }
  const session = "agent/sessions/prosa-1-2:detectIntent";
  expect(called).toEqual([
    "https://oauth2.googleapis.com/token",
    `https://dialogflow.googleapis.com/v2/projects/padaria/${session}`,
    `https://southamerica-east1-dialogflow.googleapis.com/v2/projects/padaria/locations/southamerica-east1/${session}`,
  ]);
});

test("the operator's gateway may be in a private network; what a user writes still may not (O-09)", async () => {
  const server = createServer((_, response) => response.end('{"queryResult":{"fulfillmentText":"Oi"}}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { caller } = createCaller({ mayBePrivate: false, signal: AbortSignal.timeout(5_000) });
  const answer = await detectIntent(gateway)(talk("global"), {
    post: (url, request) => (url.includes("/token") ? Promise.resolve(granted) : caller.post(url, request)),
  });
  expect(answer.parts).toEqual([{ text: "Oi", mediaUrl: null }]);
  await expect(caller.post(gateway, { body: "{}" })).rejects.toThrow("private address");
});

test("a long text is cut for detectIntent at a letter, never amid an emoji (O-09)", async () => {
  const asked: string[] = [];
  const caller: Caller = {
    post: async (url, { body }) => {
      asked.push(...(url.includes("/token") ? [] : [body]));
      return url.includes("/token") ? granted : { ...granted, text: '{"queryResult":{}}' };
    },
  };
  const { said, ...rest } = talk("global");
  await detectIntent(undefined)(
    { ...rest, said: said.map((one) => ({ ...one, text: "🎂".repeat(200).padStart(401, "a") })) },
    caller,
  );
  const { text } = (JSON.parse(asked[0]!) as { readonly queryInput: { readonly text: { readonly text: string } } })
    .queryInput.text;
  expect([text.length, text.isWellFormed()]).toEqual([255, true]);
});
