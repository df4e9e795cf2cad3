import type { Ctx } from "#server/platform/ctx.ts";
import type { AssistantKinds } from "../bot.script.ts";
import { loadScript, parseState, readText } from "../engine/index.ts";
import type { TextMeaning } from "../engine/index.ts";

/** What these texts mean to the bot of a connection, each where its ticket is, in their order. Throws ERR_NO_WAPP_FOUND. */
export async function readTexts(
  ctx: Ctx,
  connectionId: number,
  texts: readonly { readonly text: string; readonly botState: unknown }[],
  assistants: AssistantKinds,
): Promise<TextMeaning[]> {
  const script = await loadScript(ctx, connectionId, assistants);
  return texts.map(({ text, botState }) => readText(script, parseState(botState), text));
}
