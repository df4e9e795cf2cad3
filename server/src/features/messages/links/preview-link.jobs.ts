import { createHash } from "node:crypto";
import { firstLink } from "@prosa/contract/links";
import { z } from "zod";
import { isEnabled } from "#server/features/settings/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { createTurns } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { messageUpdated } from "../messages.events.ts";
import type { FetchPreview } from "./fetch-preview.ts";
import { findLinkedMessage, reusePreview, savePreview } from "./links.queries.ts";

export const PREVIEW_LINK_TASK = "messages.previewLink";
/** A page is asked for again for a new message after a week; one that could not be read is a row like any other. */
const reusedForMs = 7 * 86_400_000;
/**
 * Pages that are fetched for a company at once in a process. Their addresses are strangers', whose hosts may never answer: they hold up
 * neither the jobs of others nor the previews of other companies (decision 0219).
 */
const atOnceOfCompany = 3;
const payload = z.object({ messageId: z.number() });

/**
 * Enqueues the job that fetches the preview of a text's first address; nothing for a text without one, or where the company
 * has switched previews off. The job runs after the commit: no message waits for a page.
 */
export async function enqueueLinkPreview(ctx: Ctx, messageId: number, text: string): Promise<void> {
  const link = firstLink(text);
  if (link && (await isEnabled(ctx, "linkPreviews"))) {
    ctx.enqueue({
      task: PREVIEW_LINK_TASK,
      payload: { messageId },
      key: `link:${messageId}`,
      // One after another: the messages of a campaign learn from the first.
      lane: `link:${ctx.companyId}:${hashOf(link.url).toString("hex").slice(0, 16)}`,
      priority: "bulk",
      maxAttempts: 2,
    });
  }
}

/** Job: shows title, description and picture of the first address of a message (decision 0161). */
export function previewLink(fetchPreview: FetchPreview, isOn: boolean): JobHandler {
  const perCompany = createTurns(atOnceOfCompany);
  async function preview(messageId: number, companyId: number, deps: JobDeps): Promise<void> {
    const message = isOn ? await deps.inCompany((ctx) => findLinkedMessage(ctx, messageId)) : undefined;
    const link = message && !message.isDeleted ? firstLink(message.body) : undefined;
    if (!message || !link || link.address === message.address) {
      return;
    }
    const named = { messageId, ...link, urlHash: hashOf(link.url) };
    const since = new Date(deps.clock.now().getTime() - reusedForMs);
    const known = await deps.inCompany(async (ctx) => {
      const hasPreview = await reusePreview(ctx, named, since);
      if (hasPreview) {
        ctx.emit(messageUpdated(message.ticketId, messageId));
      }
      return hasPreview;
    });
    if (known !== undefined) {
      return;
    }
    const preview = await fetchPreview(link.url, deps.signal, companyId).catch((error: unknown) => {
      deps.signal.throwIfAborted();
      // Without its stack: most pages that cannot be read are an ordinary day.
      const reason = error instanceof Error ? error.message : String(error);
      deps.log.info({ reason, message: messageId }, "no link preview");
      return undefined;
    });
    await deps.inCompany(async (ctx) => {
      await savePreview(ctx, named, preview);
      if (preview) {
        ctx.emit(messageUpdated(message.ticketId, messageId));
      }
    });
  }
  return async (job, deps) => {
    const { messageId } = payload.parse(job.payload);
    const companyId = job.companyId ?? 0;
    await perCompany.runOrRetry(
      companyId,
      () => preview(messageId, companyId, deps),
      "other pages of the company are being fetched",
    );
  };
}

function hashOf(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}
