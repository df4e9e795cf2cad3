import { integrationAnswer } from "@prosa/contract";
import type { IntegrationCallBody } from "@prosa/contract";
import { z } from "zod";
import { webhookHeaders } from "#server/platform/net/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { IntegrationError, parseAnswer, silence } from "./protocol.ts";
import type { Caller, ProtocolAnswer, Talk } from "./protocol.ts";

/** The body of a call: the same bytes in each attempt and in a replay. */
export function callBodyOf({ integration, said, contact, ticket, connection, at }: Talk): string {
  const body: IntegrationCallBody = {
    type: "conversation.said",
    timestamp: at.toISOString(),
    message: said.at(-1)!,
    messages: said,
    contact,
    ticket,
    connection,
    integration: { id: integration.id, name: integration.name },
  };
  return JSON.stringify(body);
}

/** Types n8n and webhook: a POST of ours, signed by Standard Webhooks, whose answer is acted on (decision 0221). */
export function postSigned(
  body: string,
  deliveryId: string,
): (talk: Pick<Talk, "integration" | "at">, caller: Caller) => Promise<ProtocolAnswer> {
  return async ({ integration, at }, caller) => {
    const headers = webhookHeaders({ id: deliveryId, at, body }, integration.secret);
    const { status, text } = await caller.post(integration.url, { body, headers });
    if (status < 200 || status > 299) {
      throw new IntegrationError(`HTTP ${status}`);
    }
    return readAnswer(text);
  };
}

/** Letters of an error that the log keeps. */
const errorLetters = 200;

/** Many systems report an error with the status of a success: then the customer would wait for an answer that nobody gives. */
function errorOf(answer: unknown): string {
  const error = failed.safeParse(answer).data?.error;
  const text = typeof error === "string" ? error : error ? JSON.stringify(error) : "";
  return truncateText(text, errorLetters);
}
const failed = z.object({ error: z.union([z.string(), z.record(z.string(), z.unknown()), z.literal(true)]) });

/** An empty body, null, an object without our fields, or an empty list says nothing; an error alone fails. */
export function readAnswer(text: string): ProtocolAnswer {
  if (text.trim() === "") {
    return silence;
  }
  const given = parseAnswer(text);
  // n8n answers "all incoming items" with a list, of which a flow for one customer has one.
  const only = Array.isArray(given) && given.length < 2 ? (given[0] ?? null) : given;
  if (only === null) {
    return silence;
  }
  const { success, data, error } = integrationAnswer.safeParse(only);
  if (!success) {
    const [issue] = error.issues;
    throw new IntegrationError("bad answer", `${issue?.path.join(".") || "body"}: ${issue?.message}`);
  }
  const { messages, queueId, userId, handOver, close } = data;
  const said = [messages, queueId, userId, handOver, close].some((field) => field != null) ? "" : errorOf(only);
  if (said !== "") {
    throw new IntegrationError("bad answer", `error: ${said}`);
  }
  return {
    parts: (messages ?? []).map(({ text: said, mediaUrl }) => ({ text: said ?? "", mediaUrl: mediaUrl ?? null })),
    handsOver: handOver === true || queueId != null || userId != null,
    closes: close === true,
    queueId: queueId ?? null,
    userId: userId ?? null,
  };
}
