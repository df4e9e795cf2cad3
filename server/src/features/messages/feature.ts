import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { ADMIN_TASK, deleteByAdmin, pruneWaiting, sendChange } from "./change/index.ts";
import type { FindLine } from "./line-jobs.ts";
import { fetchWanted, filesOfMessages, filesShownByMessages, sealedMedia } from "./media/index.ts";
import { tellChanged, tellCreated } from "./messages.realtime.ts";
import { messageRoutes } from "./messages.routes.ts";
import { createPresence, presenceTiming, typingPart } from "./presence/index.ts";
import type { TypingLines } from "./presence/index.ts";
import { sendReceipts } from "./read/index.ts";
import { sendWaiting } from "./send/index.ts";

/** With the lines of this process, or with those of a test. */
export function createMessagesFeature(
  findLineOf: (services: Services) => FindLine,
  typingLinesOf?: (services: Services) => TypingLines,
  timing = presenceTiming,
): Feature {
  return {
    name: "messages",
    routes: messageRoutes,
    tasks(services) {
      const findLine = findLineOf(services);
      return {
        "messages.send": sendWaiting(findLine, services),
        "messages.change": sendChange(findLine),
        "messages.receipts": sendReceipts(findLine),
        [ADMIN_TASK]: deleteByAdmin(findLine),
        "media.fetch": fetchWanted(findLine, services),
      };
    },
    sealed: [sealedMedia],
    files: [{ folder: "messages", referenced: filesOfMessages, visible: filesShownByMessages }],
    crons: () => [{ name: "messages.prune", at: { minute: 20 }, run: pruneOld }],
    events: ({ media }) => ({
      "message.created": tellCreated(media),
      "message.updated": tellChanged(media),
    }),
    live: (services) => createPresence(services, timing),
    parts: (services) => (typingLinesOf ? [typingPart(services, typingLinesOf(services))] : []),
  };
}

const keptWaitingMs = 14 * 86_400_000;

function pruneOld({ db, clock }: Pick<JobDeps, "db" | "clock">): Promise<void> {
  return pruneWaiting(db, new Date(clock.now().getTime() - keptWaitingMs));
}

export const feature = createMessagesFeature((services) => linesOf(services).find, linesOf);
