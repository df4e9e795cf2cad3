import { forgetMoved } from "#server/platform/db/index.ts";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import { deleteImportsOf, findSourcesOf } from "./chat-imports.queries.ts";

/** The archives of a person's chats, and the marks of their messages: who knows a short message could prove that it was there. */
export const importedChats: PersonalDataOwner = {
  name: "chat-imports",
  async erase(ctx, { contactId }, limit) {
    const forgotten = await forgetMoved(ctx, await findSourcesOf(ctx, contactId), limit);
    if (forgotten === limit) {
      return { rows: forgotten };
    }
    return { rows: forgotten, files: await deleteImportsOf(ctx, contactId) };
  },
};
