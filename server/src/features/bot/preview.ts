import { resolveVariables, variableValues } from "@prosa/contract";
import type { BodyOf, botPreview, ResponseOf, VariableValues } from "@prosa/contract";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { getQueue, queuesOf } from "#server/features/queues/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { BotMedia, BotScript } from "./bot.script.ts";
import { readState } from "./bot.state.ts";
import { decideTurn } from "./engine.ts";
import { lineTextsOf } from "./line-texts.ts";
import { loadScript, scriptOfQueue } from "./load-script.ts";

/** As long as a real one: its time and the id of its ticket (behaviour 4). */
const sampleProtocol = "2026010109300012345";

type Asked = BodyOf<typeof botPreview.turn>;
type Played = ResponseOf<typeof botPreview.turn>;

/**
 * Plays one turn with the engine that answers customers, on a state that the browser keeps: no line, nothing stored.
 * Throws ERR_NO_QUEUE_FOUND, ERR_NO_WAPP_FOUND, or ERR_VALIDATION where it is not said whose bot to play.
 */
export async function playTurn(ctx: Ctx, media: MediaLinks, asked: Asked): Promise<Played> {
  const script = await scriptFor(ctx, asked);
  const at = asked.at === undefined ? ctx.now() : new Date(asked.at);
  const { state, messages, queueId, outcome } = decideTurn(script, readState(asked.state), { text: asked.text, at });

  const values = await valuesFor(ctx, asked, script, at);
  const queue = (await queuesOf(ctx)).find(({ id }) => id === queueId);
  const linkTo = ({ path: key, name, type: contentType }: BotMedia) =>
    media.link({ companyId: ctx.companyId, key, contentType, name });
  return {
    state: { ...state },
    messages: messages.map((message) => ({
      text: resolveVariables(message.text, values),
      mediaName: message.media?.name ?? null,
      mediaUrl: message.media && linkTo(message.media),
      mediaType: message.media?.type ?? null,
    })),
    outcome,
    queue: queue ? { id: queue.id, name: queue.name, color: queue.color } : null,
  };
}

async function scriptFor(ctx: Ctx, { queueId, connectionId }: Asked): Promise<BotScript> {
  if (connectionId !== undefined) {
    return loadScript(ctx, connectionId);
  }
  if (queueId === undefined) {
    throw new AppError("ERR_VALIDATION", { fields: { queueId: "Required" } });
  }
  return scriptOfQueue(ctx, await getQueue(ctx, queueId));
}

/** Whoever plays is the customer, so that texts with their name and the hour read as they will. */
async function valuesFor(ctx: Ctx, asked: Asked, { timeZone }: BotScript, now: Date): Promise<VariableValues> {
  const { language } = await (asked.connectionId === undefined
    ? companyProfileOf(ctx)
    : lineTextsOf(ctx, asked.connectionId));
  const contactName = ctx.actor.kind === "user" ? ctx.actor.name : "";
  return variableValues({ contactName, protocol: sampleProtocol, now, timeZone, language });
}
