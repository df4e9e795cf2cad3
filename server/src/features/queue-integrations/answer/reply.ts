import { integrationRules } from "@prosa/contract";
import { z } from "zod";
import type { AssistantReply, AssistantRequest, BotMessage } from "#server/features/bot/index.ts";
import { findTargets } from "#server/features/tickets/index.ts";
import type { Services } from "#server/platform/services.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { IntegrationError } from "../protocols/index.ts";
import type { AnswerPart, ProtocolAnswer } from "../protocols/index.ts";
import { storeAnswerMedia } from "./answer-media.ts";

interface ReplyOptions {
  readonly services: Pick<Services, "storage" | "config">;
  readonly request: Pick<AssistantRequest, "companyId" | "inCompany" | "signal">;
  /** What is wrong in an answer fails it. Else it is left out: the other system has gone on, and asking again would skip a step. */
  readonly isStrict: boolean;
}

/** The answer as the bot sends it: files fetched, in bounds, and to queues and agents of the company only. */
export async function replyOf(
  answer: ProtocolAnswer,
  options: ReplyOptions,
): Promise<{ readonly reply: AssistantReply; readonly note: string | null }> {
  const notes: string[] = [];
  const tolerate = (error: unknown) => {
    if (options.isStrict || !(error instanceof IntegrationError)) {
      throw error;
    }
    notes.push(error.message);
  };
  const target = await targetOf(answer, options.request.inCompany, tolerate);
  const messages: BotMessage[] = [];
  let pauseMs = 0;
  for (const part of answer.parts.slice(0, integrationRules.maxMessages)) {
    const delayMs = Math.max(0, Math.min(part.delayMs ?? 0, integrationRules.maxPauses - pauseMs));
    pauseMs += delayMs;
    const message = await messageOf(part, options).catch((error: unknown) => {
      tolerate(error);
      // The customer can open the page that we could not.
      const page = part.mediaUrl !== null && isPage(part.mediaUrl) ? part.mediaUrl : "";
      const text = [part.text, page].filter((each) => each !== "").join("\n");
      return asMessage(truncateText(text, integrationRules.maxText), null);
    });
    messages.push({ ...message, ...(!part.isOwn && { isVerbatim: true }), ...(delayMs > 0 && { delayMs }) });
  }
  if (answer.parts.length > integrationRules.maxMessages) {
    notes.push("too many messages");
  }
  const { handsOver, closes } = answer;
  return { reply: { messages, handsOver, ...target, ...(closes && { closes }) }, note: notes[0] ?? null };
}

function asMessage(text: string, media: BotMessage["media"]): BotMessage {
  return { text, media, fileListId: null };
}

/** An address that a person can open: no `data:` with a file in it. */
function isPage(url: string): boolean {
  return url.length <= maxAddress && /^https?:/u.test(url);
}
const maxAddress = 2_048;

async function messageOf({ text, mediaUrl }: AnswerPart, { services, request }: ReplyOptions): Promise<BotMessage> {
  const words = truncateText(text, integrationRules.maxText);
  if (mediaUrl === null) {
    return asMessage(words, null);
  }
  const { storage, config } = services;
  const { mayBePrivate } = config.webhooks;
  const { companyId, signal } = request;
  const media = await storeAnswerMedia(mediaUrl, { storage, companyId, mayBePrivate, signal });
  return asMessage(words, media);
}

/** The queue and the agent, where a conversation can be given to them. */
async function targetOf(
  { queueId, userId }: Pick<ProtocolAnswer, "queueId" | "userId">,
  inCompany: AssistantRequest["inCompany"],
  tolerate: (error: unknown) => void,
): Promise<{ queueId?: number; userId?: number }> {
  if (queueId === null && userId === null) {
    return {};
  }
  const { hasQueue, hasUser } = await inCompany((ctx) => findTargets(ctx, { queueId, userId }));
  if (queueId !== null && !hasQueue) {
    tolerate(new IntegrationError("unknown queue", String(queueId)));
  }
  if (userId !== null && !hasUser) {
    tolerate(new IntegrationError("unknown agent", String(userId)));
  }
  return {
    ...(queueId !== null && hasQueue && { queueId }),
    ...(userId !== null && hasUser && { userId }),
  };
}

const stored = z.object({
  messages: z.array(
    z.object({
      text: z.string(),
      media: z.object({ path: z.string(), name: z.string(), type: z.string(), size: z.number() }).nullable(),
      fileListId: z.null(),
      isVerbatim: z.literal(true).optional(),
      delayMs: z.number().optional(),
    }),
  ),
  handsOver: z.boolean(),
  queueId: z.number().optional(),
  userId: z.number().optional(),
  closes: z.boolean().optional(),
});

/** The reply that a turn got before its process died; undefined where it got none. Who gets the conversation is checked as it is said. */
export function keptReply(value: unknown): AssistantReply | undefined {
  const { data } = stored.safeParse(value);
  if (!data) {
    return undefined;
  }
  const { queueId, userId, closes, handsOver, messages } = data;
  const said = messages.map(({ delayMs, isVerbatim, ...message }) => ({
    ...message,
    ...(isVerbatim && { isVerbatim }),
    ...(delayMs !== undefined && { delayMs }),
  }));
  return {
    ...{ messages: said, handsOver },
    ...(queueId !== undefined && { queueId }),
    ...(userId !== undefined && { userId }),
    ...(closes === true && { closes }),
  };
}
