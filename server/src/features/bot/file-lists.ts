import { fileListMessages } from "#server/features/files/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { textMessage } from "./bot.script.ts";
import type { BotMessage } from "./bot.script.ts";

/** Puts the message and the files of each list after the message that refers to it (behaviour 5, rule 7; O-07). */
export async function withFileLists(ctx: Ctx, messages: readonly BotMessage[]): Promise<BotMessage[]> {
  const all: BotMessage[] = [];
  for (const message of messages) {
    all.push({ ...message, fileListId: null });
    if (message.fileListId !== null) {
      const { text, files } = await fileListMessages(ctx, message.fileListId);
      all.push(
        textMessage(text),
        ...files.map(({ caption, ...media }) => ({ text: caption, media, fileListId: null })),
      );
    }
  }
  return all.filter(({ text, media }) => text !== "" || media !== null);
}
