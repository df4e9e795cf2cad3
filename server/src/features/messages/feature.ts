import { linesOf } from "#server/features/connections/index.ts";
import { whenLimitChanges } from "#server/features/sending/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { DELETE_BY_ADMIN_TASK, deleteByAdmin, prunePendingChanges, sendChange } from "./change/index.ts";
import type { FindLine } from "./line-jobs.ts";
import { createFetchPreview, PREVIEW_LINK_TASK, previewLink } from "./links/index.ts";
import type { FetchPreview } from "./links/index.ts";
import { downloadMedia, findMessageFiles, findVisibleMessageFiles, sealedMedia } from "./media/index.ts";
import { publishMessagesCreated, publishMessagesUpdated } from "./messages.realtime.ts";
import { messageRoutes } from "./messages.routes.ts";
import { createPresence, presenceTiming, createLineTyping } from "./presence/index.ts";
import type { TypingLines } from "./presence/index.ts";
import { sendReadReceipts } from "./read/index.ts";
import { SEND_TASK, sendQueuedMessages, wakeHeldMessages } from "./send/index.ts";
import { messageData } from "./erase/index.ts";
import { MOVE_UNSENT_TASK, moveUnsent } from "./transfer/index.ts";

/** The feature with the lines of this process, or with those of a test. */
export function createMessagesFeature(
  findLineOf: (services: Services) => FindLine,
  typingLinesOf?: (services: Services) => TypingLines,
  timing = presenceTiming,
  fetchPreview: FetchPreview = createFetchPreview(),
): Feature {
  return {
    name: "messages",
    personalData: messageData,
    routes: messageRoutes,
    tasks(services) {
      const findLine = findLineOf(services);
      return {
        [SEND_TASK]: sendQueuedMessages(findLine, services),
        "messages.change": sendChange(findLine),
        [MOVE_UNSENT_TASK]: moveUnsent,
        "messages.receipts": sendReadReceipts(findLine),
        [DELETE_BY_ADMIN_TASK]: deleteByAdmin(findLine),
        "media.fetch": downloadMedia(findLine, services),
        [PREVIEW_LINK_TASK]: previewLink(fetchPreview, services.config.hasLinkPreviews),
      };
    },
    waitingTasks: [PREVIEW_LINK_TASK],
    sealed: [sealedMedia],
    files: [{ folder: "messages", referenced: findMessageFiles, visible: findVisibleMessageFiles }],
    crons: () => [{ name: "messages.prune", at: { minute: 20 }, run: pruneOld }],
    events: ({ media }) => ({
      "message.created": publishMessagesCreated(media),
      "message.updated": publishMessagesUpdated(media),
    }),
    eventWatchers: (services) => whenLimitChanges(services, wakeHeldMessages),
    ephemeral: (services) => createPresence(services, timing),
    backgroundServices: (services) => (typingLinesOf ? [createLineTyping(services, typingLinesOf(services))] : []),
  };
}

const pendingChangeRetentionMs = 14 * 86_400_000;

function pruneOld({ db, clock }: Pick<JobDeps, "db" | "clock">): Promise<void> {
  return prunePendingChanges(db, new Date(clock.now().getTime() - pendingChangeRetentionMs));
}

export const feature = createMessagesFeature((services) => linesOf(services).find, linesOf);
