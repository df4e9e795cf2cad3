import type { IntegrationTest, IntegrationTestAnswer } from "@prosa/contract";
import { z } from "zod";
import { findTargets } from "#server/features/tickets/index.ts";
import type { Signer, Vault } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { protocolOf } from "./answer/index.ts";
import type { IntegrationOptions } from "./answer/index.ts";
import { openCalled } from "./called-integration.ts";
import { createCaller } from "./calls/index.ts";
import { callBodyOf, IntegrationError } from "./protocols/index.ts";
import type { CalledIntegration, ProtocolAnswer, Session, Talk } from "./protocols/index.ts";
import { randomUUID } from "node:crypto";

export interface TestTools {
  readonly vault: Vault;
  readonly signer: Signer;
  readonly mayBePrivate: boolean;
  readonly dialogflowUrl: string | undefined;
  readonly options: IntegrationOptions;
}

/** A person waits in front of the screen. */
const testTimeoutMs = 20_000;
const sessionMs = 60 * 60_000;

/**
 * Plays an integration: says something as a customer would, and returns what would be answered. Nothing is stored but the secret of
 * one that signs and has none, and no customer hears it. ERR_NOT_FOUND for the integration of another company, ERR_VALIDATION for missing fields, ERR_INTEGRATION_FAILED with the
 * reason where the other system does not answer as it should.
 */
export async function testIntegration(
  scope: RequestScope,
  tools: TestTools,
  body: IntegrationTest,
): Promise<IntegrationTestAnswer> {
  const { vault, signer, mayBePrivate, dialogflowUrl, options } = tools;
  const companyId = scope.actor!.companyId;
  const { id } = body;
  const integration = id === undefined ? typedAgent(body) : await scope.inCompany((ctx) => openCalled(ctx, vault, id));
  if (!integration) {
    throw new AppError("ERR_NOT_FOUND", { integrationId: id });
  }
  const at = scope.now();
  const purpose = `integration-test:${companyId}:${integration.id}`;
  const before = readSession(signer, purpose, body.session ?? undefined);
  const talk: Talk = {
    integration,
    said: [
      {
        id: 0,
        type: "chat",
        text: body.text,
        mediaUrl: null,
        mimeType: null,
        fileName: null,
        sentAt: at.toISOString(),
      },
    ],
    contact: { id: 0, name: "Teste", number: null, email: "" },
    ticket: null,
    connection: null,
    conversation: before?.conversation ?? randomUUID(),
    session: before?.session ?? null,
    isRepeated: false,
    farewell: "",
    at,
  };
  const { caller, facts } = createCaller({
    mayBePrivate,
    signal: AbortSignal.timeout(testTimeoutMs),
    timeoutMs: options.timeoutMs ?? testTimeoutMs,
  });
  const protocol = protocolOf(integration.type, callBodyOf(talk), randomUUID(), dialogflowUrl);
  const answer = await protocol(talk, caller).catch((error: unknown) => {
    throw error instanceof IntegrationError ? failed(error, facts().status) : error;
  });
  await scope.read((ctx) => refuseForeign(ctx, answer));
  // A test is not repeated: it needs nothing of what a repeated call asks for.
  const session = answer.session && { ...answer.session, question: null, contexts: null };
  const kept = { conversation: talk.conversation, session: session ?? null };
  const isOver = answer.closes || answer.handsOver;
  return {
    messages: answer.parts.map(({ text, mediaUrl }) => ({ text, mediaUrl })),
    outcome: answer.closes ? "closes" : answer.handsOver ? "handsOver" : "goesOn",
    queueId: answer.queueId,
    userId: answer.userId,
    session: isOver ? null : signer.sign(purpose, JSON.stringify(kept), new Date(at.getTime() + sessionMs)),
  };
}

/** The specification's test: a Dialogflow agent as somebody typed it. */
function typedAgent({ projectName, location, jsonContent, language }: IntegrationTest): CalledIntegration & {
  readonly type: "dialogflow";
} {
  if (jsonContent === "") {
    throw new AppError("ERR_VALIDATION", { fields: { jsonContent: "Required" } });
  }
  return { ...blank, type: "dialogflow", projectName, location, language, account: jsonContent };
}

const blank = {
  ...{ id: 0, name: "Teste", url: "", secret: "", typebotSlug: "", delayMs: 0, expiresMinutes: 0 },
  ...{ keywordFinish: "", keywordRestart: "", restartMessage: "", unknownMessage: "" },
} as const;

async function refuseForeign(ctx: Ctx, { queueId, userId }: ProtocolAnswer): Promise<void> {
  const { hasQueue, hasUser } = await findTargets(ctx, { queueId, userId });
  if (queueId !== null && !hasQueue) {
    throw failed(new IntegrationError("unknown queue", String(queueId)), 200);
  }
  if (userId !== null && !hasUser) {
    throw failed(new IntegrationError("unknown agent", String(userId)), 200);
  }
}

function failed({ reason, detail }: IntegrationError, status: number | null): AppError {
  return new AppError("ERR_INTEGRATION_FAILED", { reason, detail, status });
}

const keptSession = z.object({
  conversation: z.string(),
  session: z
    .object({
      id: z.string(),
      choices: z.array(z.string()),
      isMultiple: z.boolean(),
      question: z.null().default(null),
      contexts: z.null().default(null),
      usedAt: z.iso.datetime().transform((text) => new Date(text)),
    })
    .nullable(),
});

/** Signed, so that nobody makes us call a session that is not of their test. One that has expired begins anew. */
function readSession(
  signer: Signer,
  purpose: string,
  token: string | undefined,
): { readonly conversation: string; readonly session: Session | null } | undefined {
  const verdict = token === undefined ? undefined : signer.verify(purpose, token);
  return verdict?.state === "valid" ? keptSession.parse(JSON.parse(verdict.payload)) : undefined;
}
