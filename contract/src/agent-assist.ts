import { z } from "zod";
import { id, longId } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { citedSource } from "./knowledge.ts";

/** Drafts of a language model for the agent at the desk, who sends them or not (O-08). */
export const agentAssistRules = {
  /** Letters of a draft that is rewritten or translated. */
  maxText: 4_000,
  /** Newest messages of a conversation that the model is shown, for a reply and for a summary. */
  replyMessages: 30,
  summaryMessages: 200,
  /** A model has so long to answer. */
  timeoutMs: 30_000,
  perUser: { max: 20, perSeconds: 60 },
  perCompany: { max: 120, perSeconds: 60 },
} as const;

export const rewriteTones = ["friendly", "formal", "shorter", "spelling"] as const;
export type RewriteTone = (typeof rewriteTones)[number];

/** ISO 639-1. */
export const translationLanguages = ["pt", "en", "es", "fr", "it", "de", "zh", "ja", "ar"] as const;
export type TranslationLanguage = (typeof translationLanguages)[number];

const draft = z.object({
  text: z.string(),
  /** The passages of the company's texts that it cites; the text has no numbers. */
  sources: z.array(citedSource),
});
export type AssistDraft = z.output<typeof draft>;

const text = z.string().trim().min(1, "Required").max(agentAssistRules.maxText, "Too Long!");
const language = z.enum(translationLanguages);
const ofTicket = {
  access: { who: "session", plan: "useOpenAi" },
  params: z.object({ ticketId: id }),
  response: draft,
  isSlow: true,
} as const;

export const agentAssist = {
  state: endpoint({
    method: "GET",
    path: "/agent-assist",
    summary:
      "Whether the desk may ask a language model: there is a prompt with a key, and the company has not switched it off",
    access: { who: "session", plan: "useOpenAi" },
    response: z.object({ isOn: z.boolean() }),
  }),
  reply: endpoint({
    method: "POST",
    path: "/agent-assist/:ticketId/reply",
    summary: "A draft of the next reply in a conversation, from the company's texts; nothing is sent",
    ...ofTicket,
  }),
  summary: endpoint({
    method: "POST",
    path: "/agent-assist/:ticketId/summary",
    summary: "A summary of a conversation, for the agent",
    ...ofTicket,
    body: z.object({ language }),
  }),
  rewrite: endpoint({
    method: "POST",
    path: "/agent-assist/:ticketId/rewrite",
    summary: "A draft in another tone, or with its spelling corrected; nothing is sent",
    ...ofTicket,
    body: z.object({ text, tone: z.enum(rewriteTones) }),
  }),
  translate: endpoint({
    method: "POST",
    path: "/agent-assist/:ticketId/translate",
    summary: "A draft, or a message of the conversation, in another language; nothing is sent",
    ...ofTicket,
    body: z.object({
      /** The draft. Without it the message is translated, and without that what the customer wrote last. */
      text: text.optional(),
      messageId: longId.optional(),
      language,
    }),
  }),
} as const;
