import { contactUpdated } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { insertOptOut } from "./opt-outs.queries.ts";
import type { NewOptOut } from "./opt-outs.queries.ts";

/**
 * The contact wants no campaigns and no scheduled messages from now on: by a word, by a user, or because it declined a request
 * for confirmation. False where that is known already; the first record stays.
 */
export async function recordOptOut(ctx: Ctx, optOut: NewOptOut): Promise<boolean> {
  const isNew = await insertOptOut(ctx, optOut);
  if (isNew) {
    ctx.emit(contactUpdated(optOut.contactId));
  }
  return isNew;
}
