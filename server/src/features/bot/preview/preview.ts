import { resolveVariables, variableValues } from "@prosa/contract";
import type { BodyOf, botPreview, MediaType, ResponseOf, VariableValues } from "@prosa/contract";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { getQueue, queuesOf } from "#server/features/queues/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { readAssistantName } from "../assistants/index.ts";
import type { AssistantKinds, BotMedia, BotScript, Said } from "../bot.script.ts";
import { connectionTextsOf } from "../connection-texts.ts";
import { withFileLists } from "../file-lists.ts";
import { loadQueueScript, loadScript, parseState } from "../engine/index.ts";
import { playEvent } from "./play-event.ts";

/** As long as a real protocol: a time and the id of a ticket (behaviour 4). */
const sampleProtocol = "2026010109300012345";

type PreviewRequest = BodyOf<typeof botPreview.turn>;
type PreviewResponse = ResponseOf<typeof botPreview.turn>;

const mediaTypes: Readonly<Record<PreviewRequest["kind"], MediaType>> = {
  text: "chat",
  image: "image",
  audio: "audio",
  document: "application",
  sticker: "sticker",
};

/**
 * Runs one turn of the engine that answers customers, on a state that the browser keeps: without a line, storing nothing.
 * Throws ERR_NO_QUEUE_FOUND, ERR_NO_WAPP_FOUND, or ERR_VALIDATION if neither a queue nor a connection is given.
 */
export async function previewTurn(
  ctx: Ctx,
  { media, assistants }: { readonly media: MediaLinks; readonly assistants: AssistantKinds },
  request: PreviewRequest,
): Promise<PreviewResponse> {
  const script = await loadRequestedScript(ctx, request, assistants);
  const at = request.at === undefined ? ctx.now() : new Date(request.at);
  const said: Said = { messageId: 0, kind: mediaTypes[request.kind], text: request.text, at };
  const { event, connectionId } = request;
  const played = await playEvent(ctx, script, parseState(request.state), { event, said, connectionId });

  const queue = (await queuesOf(ctx)).find(({ id }) => id === played.state.queueId);
  const { timeZone } = script;
  const values = await variablesFor(ctx, request, { at: played.at, timeZone, queueName: queue?.name ?? null });
  const linkTo = ({ path: key, name, type: contentType }: BotMedia) =>
    media.link({ companyId: ctx.companyId, key, contentType, name });
  return {
    state: { ...played.state },
    messages: (await withFileLists(ctx, played.messages)).map((message) => ({
      text: resolveVariables(message.text, values),
      mediaName: message.media?.name ?? null,
      mediaUrl: message.media && linkTo(message.media),
      mediaType: message.media?.type ?? null,
    })),
    outcome: played.outcome,
    isTooEarly: event === "message" && played.state.heardAt === at.toISOString(),
    assistant: played.state.assistant && (await readAssistantName(ctx, played.state.assistant)),
    rating: played.rating,
    at: played.at.toISOString(),
    queue: queue ? { id: queue.id, name: queue.name, color: queue.color } : null,
  };
}

async function loadRequestedScript(
  ctx: Ctx,
  { queueId, connectionId, isClosed }: PreviewRequest,
  assistants: AssistantKinds,
): Promise<BotScript> {
  if (connectionId === undefined && queueId === undefined) {
    throw new AppError("ERR_VALIDATION", { fields: { queueId: "Required" } });
  }
  const script =
    connectionId === undefined
      ? await loadQueueScript(ctx, await getQueue(ctx, queueId!), assistants)
      : await loadScript(ctx, connectionId, assistants);
  const { scheduleType } = script;
  return isClosed
    ? { ...script, isClosedNow: true, scheduleType: scheduleType === "disabled" ? "company" : scheduleType }
    : script;
}

/** Variables with the previewing user as the customer, so that names and greetings read as they will. */
async function variablesFor(
  ctx: Ctx,
  request: PreviewRequest,
  { at, timeZone, queueName }: { readonly at: Date; readonly timeZone: string; readonly queueName: string | null },
): Promise<VariableValues> {
  const company = await companyProfileOf(ctx);
  const { language } =
    request.connectionId === undefined ? company : await connectionTextsOf(ctx, request.connectionId);
  return variableValues({
    contactName: ctx.actor.kind === "user" ? ctx.actor.name : "",
    protocol: sampleProtocol,
    queueName,
    userName: null,
    companyName: company.name,
    now: at,
    timeZone,
    language,
  });
}
