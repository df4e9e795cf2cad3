import { globalLocation } from "@prosa/contract";
import { z } from "zod";
import { truncateText } from "#server/platform/truncate-text.ts";
import { accessToken, forgetToken } from "./access-token.ts";
import { readCommand } from "./commands.ts";
import { IntegrationError, parseAnswer } from "./protocol.ts";
import type { AnswerPart, DialogflowContext, Protocol, Talk } from "./protocol.ts";

/** Letters of a text that detectIntent takes. */
const maxText = 256;

const text = z.object({ text: z.object({ text: z.array(z.string()).default([]) }) });
const image = z.object({ image: z.object({ imageUri: z.string(), accessibilityText: z.string().default("") }) });
const quickReplies = z.object({
  quickReplies: z.object({ title: z.string().default(""), quickReplies: z.array(z.string()).default([]) }),
});
const card = z.object({
  card: z.object({
    title: z.string().default(""),
    subtitle: z.string().default(""),
    imageUri: z.string().default(""),
    buttons: z.array(z.object({ text: z.string().default(""), postback: z.string().default("") })).default([]),
  }),
});
const payload = z.object({ payload: z.record(z.string(), z.unknown()) });

export const dialogflowContext = z.object({
  name: z.string(),
  lifespanCount: z.number().int().default(0),
  parameters: z.record(z.string(), z.unknown()).optional(),
});
/** Contexts expire after 20 minutes at Google. */
export const contextMs = 20 * 60_000;
/** Letters of the contexts that are kept. */
const maxContexts = 50_000;

/** What we read of a DetectIntentResponse (Dialogflow ES, REST v2). */
const response = z.object({
  queryResult: z.object({
    fulfillmentText: z.string().default(""),
    fulfillmentMessages: z.array(z.record(z.string(), z.unknown())).default([]),
    outputContexts: z.array(dialogflowContext).nullable().default([]).catch(null),
    intent: z.object({ endInteraction: z.boolean().default(false) }).optional(),
    diagnosticInfo: z.object({ end_conversation: z.boolean().default(false) }).optional(),
  }),
});

/**
 * Type dialogflow: detectIntent by text of the REST API (decision 0222). `url`: the service's address with `{location}` in it, which the
 * operator sets; undefined is Google's.
 */
export function detectIntent(url: string | undefined): Protocol {
  return async (talk, caller) => {
    const { integration, at } = talk;
    // A session that began goes on under its name, also where its ticket was merged into another.
    const id = talk.session?.id ?? talk.conversation;
    const { token, projectId } = await accessToken(integration.account, caller, at);
    const session = sessionOf(integration.projectName || projectId, integration.location, id);
    const answer = await caller.post(`${serviceUrl(url, integration.location)}/v2/${session}:detectIntent`, {
      headers: { authorization: `Bearer ${token}` },
      isOperators: url !== undefined,
      body: JSON.stringify({
        queryInput: { text: { text: textOf(talk), languageCode: integration.language } },
        queryParams: { payload: factsOf(talk), ...(talk.isRepeated && contextsBefore(talk)) },
      }),
    });
    if (answer.status === 401) {
      forgetToken(integration.account);
    }
    if (answer.status !== 200) {
      throw new IntegrationError(`HTTP ${answer.status}`);
    }
    const parsed = response.safeParse(parseAnswer(answer.text));
    if (!parsed.success) {
      throw new IntegrationError("bad answer");
    }
    const { fulfillmentText, fulfillmentMessages, outputContexts, intent, diagnosticInfo } = parsed.data.queryResult;
    // Those with a platform are for Facebook, Telegram and the like.
    const ours = fulfillmentMessages.filter(({ platform }) => !platform || platform === "PLATFORM_UNSPECIFIED");
    const said = ours.flatMap(partsOf);
    const parts = said.length > 0 || fulfillmentText === "" ? said : [plain(fulfillmentText)];
    const command = ours.map((each) => readCommand(payload.safeParse(each).data?.payload)).find((found) => found);
    const isOver = intent?.endInteraction === true || diagnosticInfo?.end_conversation === true;
    return {
      parts,
      handsOver: isOver || command !== undefined,
      closes: false,
      queueId: command?.queueId ?? null,
      userId: command?.userId ?? null,
      session: {
        ...{ id, choices: [], isMultiple: false, question: null },
        contexts: keptContexts(outputContexts),
        usedAt: at,
      },
    };
  };
}

/**
 * For a call that may have been made before: puts the agent back to where its last answer that we have left it, so that the same words
 * mean the same (decision 0270).
 */
function contextsBefore({
  session,
  at,
}: Talk): { resetContexts: true; contexts: readonly DialogflowContext[] } | object {
  if (!session || at.getTime() - session.usedAt.getTime() >= contextMs) {
    return { resetContexts: true, contexts: [] };
  }
  return session.contexts === null ? {} : { resetContexts: true, contexts: session.contexts };
}

/** Google counts in it by itself, and takes it from nobody. */
const counters = "/__system_counters__";

/** Those that live on; null where they are too large to keep. */
function keptContexts(contexts: readonly DialogflowContext[] | null): readonly DialogflowContext[] | null {
  const living = contexts?.filter(({ name, lifespanCount }) => lifespanCount > 0 && !name.endsWith(counters)) ?? null;
  return JSON.stringify(living).length <= maxContexts ? living : null;
}

/** Each region has a service of its own, as Google's client libraries call it. */
function serviceUrl(url: string | undefined, location: string): string {
  const host = location === globalLocation ? "dialogflow.googleapis.com" : `${location}-dialogflow.googleapis.com`;
  return url?.replace("{location}", location) ?? `https://${host}`;
}

/** The name of a session: that of a regional agent names its location too. */
function sessionOf(project: string, location: string, conversation: string): string {
  const place = location === globalLocation ? "" : `/locations/${encodeURIComponent(location)}`;
  return `projects/${encodeURIComponent(project)}${place}/agent/sessions/${encodeURIComponent(conversation)}`;
}

function plain(said: string): AnswerPart {
  return { text: said, mediaUrl: null };
}

function partsOf(message: Readonly<Record<string, unknown>>): AnswerPart[] {
  const asText = text.safeParse(message);
  if (asText.success) {
    // The texts of one message are said in turn as one.
    const said = asText.data.text.text.filter((each) => each !== "");
    return said.length === 0 ? [] : [plain(said.join("\n"))];
  }
  const asImage = image.safeParse(message);
  if (asImage.success) {
    const { imageUri, accessibilityText } = asImage.data.image;
    return [{ text: accessibilityText, mediaUrl: imageUri }];
  }
  const asReplies = quickReplies.safeParse(message);
  if (asReplies.success) {
    const { title, quickReplies: replies } = asReplies.data.quickReplies;
    return linesOf([title, ...replies.map((reply) => `• ${reply}`)]);
  }
  const asCard = card.safeParse(message);
  if (asCard.success) {
    const { title, subtitle, imageUri, buttons } = asCard.data.card;
    const buttonLines = buttons.map((button) => `• ${[button.text, button.postback].filter(Boolean).join(": ")}`);
    const [said] = linesOf([title && `*${title}*`, subtitle, ...buttonLines]);
    return imageUri === "" ? (said ? [said] : []) : [{ text: said?.text ?? "", mediaUrl: imageUri }];
  }
  return [];
}

function linesOf(lines: readonly string[]): AnswerPart[] {
  const said = lines.filter((line) => line !== "").join("\n");
  return said === "" ? [] : [plain(said)];
}

/** All that was said; of a file without words, what it is: detectIntent takes texts only. */
function textOf({ said }: Talk): string {
  const texts = said.map((message) => message.text || `[${message.fileName ?? message.type}]`);
  return truncateText(texts.join("\n"), maxText);
}

/** For the agent's own webhook, as `originalDetectIntentRequest.payload`. */
function factsOf({ contact, ticket, said }: Talk): object {
  const files = said.flatMap(({ mediaUrl }) => (mediaUrl === null ? [] : [mediaUrl]));
  return { contact, ticketId: ticket?.id ?? null, files };
}
