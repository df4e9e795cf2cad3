import { fileListMessages } from "#server/features/files/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { textMessage } from "./bot.script.ts";
import type { BotMessage } from "./bot.script.ts";

/** Puts the message and the files of each list after the message that refers to it (behaviour 5, rule 7; O-07). */
export function withFileLists(ctx: Ctx, messages: readonly BotMessage[]): Promise<BotMessage[]> {
  return rememberingFileLists()(ctx, messages);
}

/** The same for many messages of one transaction: each list is read once. */
export function rememberingFileLists(): typeof withFileLists {
  const lists = new Map<number, ReturnType<typeof fileListMessages>>();
  return async (ctx, messages) => {
    const all: BotMessage[] = [];
    for (const message of messages) {
      const { fileListId } = message;
      all.push({ ...message, fileListId: null });
      if (fileListId !== null) {
        const list = lists.get(fileListId) ?? fileListMessages(ctx, fileListId);
        lists.set(fileListId, list);
        const { text, files } = await list;
        all.push(
          textMessage(text),
          ...files.map(({ caption, ...media }) => ({ text: caption, media, fileListId: null })),
        );
      }
    }
    return all.filter(({ text, media }) => text !== "" || media !== null);
  };
}
