import {
  agentAssist,
  type AssistDraft,
  type RewriteTone,
  type TranslationLanguage,
} from "@prosa/contract/agent-assist";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

/** Whether the desk may ask a model: there is a prompt with a key, and the company has not switched it off (O-08). */
export const assistState = queryOptions({
  queryKey: ["agent-assist"],
  queryFn: ({ signal }) => call(agentAssist.state, { signal }),
  staleTime: 5 * 60_000,
  retry: false,
});

/** What a model is asked for. A translation is of the draft, of a message, or of what the customer wrote last. */
export type AssistTask =
  | { readonly kind: "reply" }
  | { readonly kind: "summary" }
  | { readonly kind: "rewrite"; readonly tone: RewriteTone; readonly text: string }
  | { readonly kind: "translate"; readonly text?: string; readonly messageId?: number };

/** Asks for a draft; nothing is sent by it. The signal takes the question back. */
export function askAssist(
  ticketId: number,
  task: AssistTask,
  { language, signal }: { readonly language: TranslationLanguage; readonly signal: AbortSignal },
): Promise<AssistDraft> {
  const params = { ticketId };
  switch (task.kind) {
    case "reply":
      return call(agentAssist.reply, { params, signal });
    case "summary":
      return call(agentAssist.summary, { params, body: { language }, signal });
    case "rewrite":
      return call(agentAssist.rewrite, { params, body: { text: task.text, tone: task.tone }, signal });
    case "translate": {
      const { text, messageId } = task;
      const what = text !== undefined ? { text } : messageId !== undefined ? { messageId } : {};
      return call(agentAssist.translate, { params, body: { ...what, language }, signal });
    }
  }
}
