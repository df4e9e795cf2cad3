import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { pruneWaiting } from "./changes.queries.ts";
import { sendChange } from "./changes.jobs.ts";
import { ADMIN_TASK, deleteByAdmin } from "./delete-by-admin.ts";
import { fetchWanted } from "./media.jobs.ts";
import { filesOfMessages, filesShownByMessages, sealedMedia } from "./media.queries.ts";
import { sendReceipts, sendWaiting } from "./messages.jobs.ts";
import type { FindLine } from "./messages.jobs.ts";
import { tellChanged, tellCreated } from "./messages.realtime.ts";
import { messageRoutes } from "./messages.routes.ts";
import { typingPart } from "./presence.lines.ts";
import type { TypingLines } from "./presence.lines.ts";
import { presenceTiming } from "./presence.state.ts";
import { createPresence } from "./presence.ts";

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
    files: [{ folder: "messages", named: filesOfMessages, shown: filesShownByMessages }],
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
