import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { integrationCallBody } from "@prosa/contract";
import type { IntegrationType, QueueIntegrationBody } from "@prosa/contract";
import { decodeJwt, importSPKI, jwtVerify } from "jose";
import { z } from "zod";

/** A local server that speaks the protocols of the integrations, with their faults. */
export interface Systems {
  readonly url: string;
  /** Calls in order, without those for files. */
  readonly calls: SystemCall[];
  /** What does not have the published shape. */
  readonly violations: string[];
  /** Decides the answer of each call; a test replaces it. */
  answer: (call: SystemCall, response: ServerResponse) => unknown;
  /** A service account of this server's Dialogflow. */
  readonly account: string;
  close(): void;
}

export interface SystemCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const sentMessage = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  attachedFileUrls: z.array(z.string()).optional(),
});
const format = z.enum(["richText", "markdown"]).optional();

const dialogflowContext = z.strictObject({
  // "You should not use" those that Google keeps itself.
  name: z.string().regex(/^projects\/[^/]+\/agent\/sessions\/[^/]+\/contexts\/(?!__system_counters__$)[^/]+$/u),
  lifespanCount: z.number().int(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});

const detectIntentBody = z.strictObject({
  queryInput: z.strictObject({ text: z.strictObject({ text: z.string().max(256), languageCode: z.string() }) }),
  queryParams: z
    .strictObject({
      payload: z.record(z.string(), z.unknown()),
      resetContexts: z.boolean().optional(),
      contexts: z.array(dialogflowContext).optional(),
    })
    .optional(),
});

/** Request bodies as they are published: Typebot's OpenAPI of the chat API, Google's discovery document of Dialogflow v2. */
const published: readonly { readonly path: RegExp; readonly body: z.ZodType }[] = [
  { path: /^\/hook/u, body: integrationCallBody },
  {
    path: /^\/api\/v1\/typebots\/[^/]+\/startChat$/u,
    body: z.strictObject({
      message: sentMessage.optional(),
      isStreamEnabled: z.boolean().optional(),
      resultId: z.string().optional(),
      isOnlyRegistering: z.boolean().optional(),
      prefilledVariables: z.record(z.string(), z.unknown()).optional(),
      textBubbleContentFormat: format,
    }),
  },
  {
    path: /^\/api\/v1\/sessions\/[^/]+\/continueChat$/u,
    body: z.strictObject({ message: sentMessage.optional(), textBubbleContentFormat: format }),
  },
  {
    // the region stands in the address of its service and in the session's name
    path: /^(?:\/(?!global)([a-z0-9-]+))?\/v2\/projects\/[^/]+\/locations\/\1\/agent\/sessions\/[^/]{1,36}:detectIntent$/u,
    body: detectIntentBody,
  },
  {
    path: /^(?:\/global)?\/v2\/projects\/[^/]+\/agent\/sessions\/[^/]{1,36}:detectIntent$/u,
    body: detectIntentBody,
  },
];

export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export async function startSystems(): Promise<Systems> {
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const calls: SystemCall[] = [];
  const violations: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [path = ""] = (request.url ?? "").split("?");
      if (path.startsWith("/files/")) {
        serveFile(path, response);
        return;
      }
      const text = Buffer.concat(chunks).toString();
      if (path === "/token") {
        void grant(text, response);
        return;
      }
      const body = JSON.parse(text) as SystemCall["body"];
      const call = { path, headers: request.headers, text, body };
      calls.push(call);
      violations.push(...violationsOf(call));
      Promise.resolve(systems.answer(call, response)).catch(() => response.destroy());
    });
  });

  /** Google's token endpoint: the JWT bearer grant, by the account's key, for itself. */
  async function grant(text: string, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(text);
    const assertion = form.get("assertion") ?? "";
    try {
      const key = await importSPKI(keys.publicKey, "RS256");
      const { iat = 0 } = decodeJwt(assertion);
      await jwtVerify(assertion, key, {
        issuer: "bot@padaria.iam.gserviceaccount.com",
        audience: `${systems.url}/token`,
        currentDate: new Date(iat * 1_000),
      });
      if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") {
        throw new Error("grant_type");
      }
      json(response, { access_token: "ya29.test", expires_in: 3_600, token_type: "Bearer" });
    } catch {
      json(response, { error: "invalid_grant" }, 400);
    }
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const systems: Systems = {
    url,
    calls,
    violations,
    answer: (_, response) => json(response, {}),
    account: JSON.stringify({
      type: "service_account",
      project_id: "padaria",
      private_key_id: "k1",
      private_key: keys.privateKey,
      client_email: "bot@padaria.iam.gserviceaccount.com",
      token_uri: `${url}/token`,
    }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return systems;
}

function violationsOf({ path, body, headers }: SystemCall): string[] {
  const shape = published.find((each) => each.path.test(path));
  const { error } = shape?.body.safeParse(body) ?? {};
  return [
    ...(shape ? [] : [`${path}: no such call`]),
    ...(error ? [`${path}: ${error.message}`] : []),
    ...(headers["content-type"] === "application/json" ? [] : [`${path}: ${headers["content-type"]}`]),
  ];
}

/** The fields of an integration of this server. */
export function fieldsOf(
  type: IntegrationType,
  { url, account }: Systems,
): Partial<QueueIntegrationBody> & { readonly type: IntegrationType } {
  switch (type) {
    case "typebot":
      return { type, urlN8N: url, typebotSlug: "bolos", typebotDelayMessage: 0 };
    case "dialogflow":
      return { type, projectName: "padaria", jsonContent: account };
    case "n8n":
    case "webhook":
      return { type, urlN8N: `${url}/hook` };
  }
}

/** An answer with these texts, after which the conversation goes on. */
export function answerOf(type: IntegrationType, ...texts: string[]): object {
  switch (type) {
    case "typebot": {
      const bubbles = texts.map((text) => ({ type: "p", children: [{ text }] }));
      const messages = bubbles.map((line) => ({
        id: "b",
        type: "text",
        content: { type: "richText", richText: [line] },
      }));
      return { sessionId: "s1", messages, input: { id: "i", type: "text input" } };
    }
    case "dialogflow":
      return {
        responseId: "r",
        queryResult: { fulfillmentMessages: texts.map((text) => ({ text: { text: [text] } })) },
      };
    case "n8n":
    case "webhook":
      return { messages: texts.map((text) => ({ text })) };
  }
}

/** What the customer said, in a call of any type. */
export function saidIn({ body }: SystemCall): string {
  const { data } = z
    .union([
      z
        .object({ queryInput: z.object({ text: z.object({ text: z.string() }) }) })
        .transform((of) => of.queryInput.text.text),
      z.object({ message: z.object({ text: z.string() }) }).transform((of) => of.message.text),
    ])
    .safeParse(body);
  return data ?? "";
}

function serveFile(path: string, response: ServerResponse): void {
  if (path === "/files/moved.png") {
    response.writeHead(302, { location: "/files/bolo%20de%20cenoura.png" }).end();
  } else if (path.endsWith(".png")) {
    // Whatever the server calls it.
    response.writeHead(200, { "content-type": "text/plain" }).end(pixel);
  } else {
    response.writeHead(200, { "content-type": "image/png" }).end("<html><script>alert(1)</script></html>");
  }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
