import { z } from "zod";
import { matchChoice } from "#server/features/bot/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { readTextCommand } from "./commands.ts";
import type { FlowCommand } from "./commands.ts";
import { answerLost, IntegrationError, parseAnswer, silence } from "./protocol.ts";
import type { AnswerPart, Caller, Protocol, ProtocolAnswer, Session, Talk } from "./protocol.ts";
import { richText, toWhatsAppText } from "./rich-text.ts";

/** A flow that goes on by itself (a wait in it) is asked again so often in one turn. */
const maxSteps = 5;
/** Lines of a menu, and letters of each: more fits into no message. */
const maxChoices = 50;
const maxChoiceText = 200;
/** Letters of an answer that names all lines. */
const maxWritten = maxChoices * (maxChoiceText + 5);

const address = z.object({ url: z.string().min(1) });
const chatMessage = z.object({ type: z.string(), content: z.record(z.string(), z.unknown()).catch({}) });
const chatInput = z.object({
  id: z.string().optional().catch(undefined),
  type: z.string(),
  items: z.array(z.object({ content: z.unknown(), title: z.unknown() }).partial()).optional(),
  options: z
    .object({ isMultipleChoice: z.boolean().nullish(), isRequired: z.boolean().nullish() })
    .nullish()
    .catch(null),
});
const clientSideAction = z.object({
  type: z.string(),
  wait: z.object({ secondsToWaitFor: z.number() }).optional().catch(undefined),
  redirect: z.object({ url: z.string().optional() }).optional().catch(undefined),
  expectsDedicatedReply: z.boolean().nullish(),
});
/** What we read of the answers of startChat and continueChat (Chat API v1). */
const chatAnswer = z.object({
  sessionId: z.string().min(1).optional(),
  messages: z.array(chatMessage).default([]),
  input: chatInput.nullish(),
  clientSideActions: z.array(clientSideAction).nullish(),
});
type ChatAnswer = z.output<typeof chatAnswer>;

/** Type typebot: startChat and continueChat of its public v1 API (behaviour 6). */
export const playTypebot: Protocol = async (talk, caller) => {
  const { integration } = talk;
  if (isSaid(talk, integration.keywordFinish)) {
    return { ...silence, parts: ownText(talk.farewell), closes: true, session: null };
  }
  if (isSaid(talk, integration.keywordRestart)) {
    const started = await start(talk, caller, undefined);
    return { ...started, parts: [...ownText(integration.restartMessage), ...started.parts] };
  }
  const { session } = talk;
  if (!session || isExpired(talk)) {
    return start(talk, caller, messageOf(talk));
  }
  await refuseLostAnswer(talk, caller, session);
  const written = talk.said.map(({ text }) => text).join("\n");
  const chosen = chooseFromTurn(session, talk);
  if (session.choices.length > 0 && chosen === undefined && written !== "" && integration.unknownMessage !== "") {
    const parts = [...ownText(integration.unknownMessage), ...menuOf(session.choices)];
    return { ...silence, parts, session: { ...session, usedAt: talk.at } };
  }
  const answer = await continueChat(talk, caller, session.id, messageOf(talk, chosen));
  return answer ? follow(talk, caller, session.id, answer) : start(talk, caller, messageOf(talk));
};

async function start(talk: Talk, caller: Caller, message: object | undefined): Promise<ProtocolAnswer> {
  const { integration, contact, ticket, connection } = talk;
  const url = `${apiOf(integration.url)}/typebots/${encodeURIComponent(integration.typebotSlug)}/startChat`;
  const answer = await post(caller, url, {
    // Only a flow that begins with a question takes it.
    ...(message && { message }),
    prefilledVariables: {
      number: contact.number ?? "",
      name: contact.name,
      pushName: contact.name,
      email: contact.email,
      ticketId: ticket?.id ?? null,
      connection: connection?.name ?? "",
    },
    textBubbleContentFormat: "richText",
  });
  if (answer === "lost" || answer.sessionId === undefined) {
    throw answer === "lost" ? new IntegrationError("HTTP 404") : new IntegrationError("bad answer", "sessionId");
  }
  return follow(talk, caller, answer.sessionId, answer);
}

/**
 * After an interrupted call: asks Typebot which question it is at, by a continueChat without a message, which answers none. Where the flow
 * has gone on, what it said is lost, and the same words again would answer a question that the customer never saw (decision 0270).
 */
async function refuseLostAnswer(talk: Talk, caller: Caller, { id, question }: Session): Promise<void> {
  if (talk.isRepeated && question !== null) {
    const now = await continueChat(talk, caller, id, undefined);
    if (now?.input?.id !== question) {
      throw new IntegrationError(answerLost);
    }
  }
}

/** Undefined where Typebot does not know the session any more. */
async function continueChat(
  { integration }: Talk,
  caller: Caller,
  sessionId: string,
  message: object | undefined,
): Promise<ChatAnswer | undefined> {
  const url = `${apiOf(integration.url)}/sessions/${encodeURIComponent(sessionId)}/continueChat`;
  const answer = await post(caller, url, { ...(message && { message }), textBubbleContentFormat: "richText" });
  return answer === "lost" ? undefined : answer;
}

async function post(caller: Caller, url: string, body: object): Promise<ChatAnswer | "lost"> {
  const { status, text } = await caller.post(url, { body: JSON.stringify(body) });
  if (status === 404) {
    return "lost";
  }
  if (status !== 200) {
    throw new IntegrationError(`HTTP ${status}`);
  }
  const parsed = chatAnswer.safeParse(parseAnswer(text));
  if (!parsed.success) {
    throw new IntegrationError("bad answer", parsed.error.issues[0]?.path.join(".") ?? "");
  }
  return parsed.data;
}

/** What an answer says, and what the flow says by itself after a wait in it. Without a question the flow is over. */
async function follow(talk: Talk, caller: Caller, sessionId: string, first: ChatAnswer): Promise<ProtocolAnswer> {
  const parts: AnswerPart[] = [];
  let command: FlowCommand | undefined;
  let answer = first;
  for (let step = 0; ; step += 1) {
    const pauseMs = waitedMs(answer);
    const said = partsOf(answer, talk);
    command ??= said.command;
    parts.push(...said.parts);
    const goesOn = !answer.input && (answer.clientSideActions ?? []).some((action) => action.expectsDedicatedReply);
    if (command || !goesOn || step >= maxSteps) {
      break;
    }
    const next = await continueChat(talk, caller, sessionId, undefined);
    if (!next) {
      break;
    }
    const [head, ...rest] = next.messages;
    answer = head ? { ...next, messages: [{ ...head, content: { ...head.content, pauseMs } }, ...rest] } : next;
  }
  if (command) {
    return { ...silence, ...command, parts: paused(talk, parts), handsOver: true, session: null };
  }
  if (!answer.input) {
    return { ...silence, parts: paused(talk, parts), handsOver: true, session: null };
  }
  const choices = choicesOf(answer);
  const isMultiple = answer.input.options?.isMultipleChoice === true;
  // A continueChat without a message skips it, so that it cannot be asked for: see refuseLostAnswer.
  const isSkippable = answer.input.type === "file input" && answer.input.options?.isRequired === false;
  const question = isSkippable ? null : (answer.input.id ?? null);
  const isUnderstood = parts.length > 0 || first.sessionId !== undefined;
  const said = [...parts, ...(isUnderstood ? [] : ownText(talk.integration.unknownMessage)), ...menuOf(choices)];
  return {
    ...silence,
    parts: paused(talk, said),
    session: { id: sessionId, choices, isMultiple, question, contexts: null, usedAt: talk.at },
  };
}

/** Typing and the integration's pause before each message but the first, or as long as the flow waits. */
function paused({ integration }: Talk, parts: readonly AnswerPart[]): AnswerPart[] {
  return parts.map((part, index) => {
    const delayMs = Math.max(part.delayMs ?? 0, index === 0 ? 0 : integration.delayMs);
    return { ...part, delayMs };
  });
}

function waitedMs({ clientSideActions }: ChatAnswer): number {
  return (clientSideActions ?? []).reduce((sum, { wait }) => sum + (wait?.secondsToWaitFor ?? 0) * 1_000, 0);
}

/** A text that only repeats what the customer said is no command: a bubble may be nothing but their answer. */
function partsOf(
  answer: ChatAnswer,
  talk: Talk,
): { readonly parts: AnswerPart[]; readonly command: FlowCommand | undefined } {
  const parts: AnswerPart[] = [];
  let command: FlowCommand | undefined;
  for (const message of answer.messages) {
    const part = partOf(message);
    if (!part) {
      continue;
    }
    const isOwn = part.mediaUrl === null && !talk.said.some(({ text }) => text.trim() === part.text.trim());
    const found = isOwn ? readTextCommand(part.text) : undefined;
    if (found) {
      command ??= found;
    } else {
      parts.push(part);
    }
  }
  const pages = (answer.clientSideActions ?? []).flatMap(({ redirect }) => (redirect?.url ? [redirect.url] : []));
  return { parts: [...parts, ...pages.flatMap(partsOfText)], command };
}

/** Undefined for a bubble with nothing to say. */
function partOf({ type, content }: z.output<typeof chatMessage>): AnswerPart | undefined {
  const delayMs = z.number().safeParse(content["pauseMs"]).data ?? 0;
  if (type === "text") {
    const rich = richText.safeParse(content["richText"]).data;
    const text = rich ? toWhatsAppText(rich) : (z.string().safeParse(content["markdown"]).data ?? "").trim();
    return text === "" ? undefined : { text, mediaUrl: null, delayMs };
  }
  const url = address.safeParse(content).data?.url;
  if (url === undefined) {
    return undefined;
  }
  // Of YouTube and the like there is a page, and no file.
  const isFile = type === "image" || type === "audio" || (type === "video" && (content["type"] ?? "url") === "url");
  return isFile ? { text: "", mediaUrl: url, delayMs } : { text: url, mediaUrl: null, delayMs };
}

function choicesOf({ input }: ChatAnswer): string[] {
  return (input?.items ?? []).slice(0, maxChoices).flatMap(({ content, title }) => {
    const line = z
      .string()
      .trim()
      .min(1)
      .safeParse(content ?? title).data;
    return line === undefined ? [] : [truncateText(line, maxChoiceText)];
  });
}

/** Lines like those of our own menus, which are answered by their numbers. */
function menuOf(choices: readonly string[]): AnswerPart[] {
  return partsOfText(choices.map((line, index) => `*[ ${index + 1} ]* - ${line}`).join("\n"));
}

function partsOfText(text: string): AnswerPart[] {
  return text.trim() === "" ? [] : [{ text, mediaUrl: null }];
}

/** A text of the company, with its variables. */
function ownText(text: string): AnswerPart[] {
  return partsOfText(text).map((part) => ({ ...part, isOwn: true }));
}

/** The choice in a turn: what was understood last, as in our own menus (decision 0143), or all together where several may be chosen. */
function chooseFromTurn(session: Session, { said }: Talk): string | undefined {
  const texts = said.map(({ text }) => text);
  const [all, each] = [texts.join("\n"), texts.toReversed()];
  for (const text of session.isMultiple ? [all, ...each] : [...each, all]) {
    const chosen = choose(session, text);
    if (chosen !== undefined) {
      return chosen;
    }
  }
  return undefined;
}

/** The words of the choice that an answer means; undefined where it means none. */
function choose(
  { choices, isMultiple }: { readonly choices: readonly string[]; readonly isMultiple: boolean },
  written: string,
): string | undefined {
  const lines = choices.map((title, index) => ({ option: String(index + 1), title }));
  const one = matchChoice(lines, written);
  if (one || !isMultiple) {
    return one?.title;
  }
  // A text of many commas is no choice: comparing each of its parts with all lines would hold up everybody.
  const parts = written.slice(0, maxWritten).split(/[,;\n]|\s(?:e|y|and)\s/u, choices.length + 1);
  if (written.length > maxWritten || parts.length > choices.length) {
    return undefined;
  }
  const several = parts.map((each) => matchChoice(lines, each)?.title);
  return several.every((title) => title !== undefined) ? several.join(", ") : undefined;
}

/** A message as Typebot takes it: the words, and the addresses of files; undefined where there is nothing. */
function messageOf({ said }: Talk, chosen?: string): object | undefined {
  const files = said.flatMap(({ mediaUrl }) => (mediaUrl === null ? [] : [mediaUrl]));
  const words = chosen ?? said.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n");
  // A question for a file takes its address as the answer.
  const text = words === "" ? files.join(", ") : words;
  return text === "" ? undefined : { type: "text", text, ...(files.length > 0 && { attachedFileUrls: files }) };
}

function isSaid({ said }: Talk, keyword: string): boolean {
  const plain = (text: string) => text.trim().toLowerCase();
  return keyword.trim() !== "" && said.some(({ text }) => plain(text) === plain(keyword));
}

function isExpired({ session, integration, at }: Talk): boolean {
  const { expiresMinutes } = integration;
  return session !== null && expiresMinutes > 0 && at.getTime() - session.usedAt.getTime() > expiresMinutes * 60_000;
}

/** Where the API is: also of an address that somebody copied with the flow's name or the API's path. */
function apiOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const before = /^(.*?)\/api(?:\/v1)?\/?$/u.exec(pathname)?.[1] ?? pathname.replace(/\/+$/u, "");
  return `${origin}${before}/api/v1`;
}
