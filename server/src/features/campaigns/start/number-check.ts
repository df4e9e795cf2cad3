import type { Ctx } from "#server/platform/ctx.ts";

/** Asks for the check of a list's unchecked numbers; `tendCampaign` takes over what it finds. */
export async function requestNumberCheck(ctx: Ctx, contactListId: number): Promise<void> {
  ctx.enqueue({
    task: "contact-lists.check",
    payload: { contactListId },
    key: `contact-list-check:${contactListId}`,
    priority: "bulk",
  });
}
