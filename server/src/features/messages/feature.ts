import type { Feature } from "#server/platform/feature.ts";
import { fetchWanted } from "./media.jobs.ts";
import { sendChange, sendReceipts, sendWaiting } from "./messages.jobs.ts";
import type { FindLine } from "./messages.jobs.ts";
import { tellChanged, tellCreated } from "./messages.realtime.ts";
import { messageRoutes } from "./messages.routes.ts";

/** With the lines of this process, or with those of a test. */
export function createMessagesFeature(findLine: FindLine): Feature {
  return {
    name: "messages",
    routes: messageRoutes,
    tasks: ({ storage, vault }) => ({
      "messages.send": sendWaiting(findLine, storage),
      "messages.change": sendChange(findLine),
      "messages.receipts": sendReceipts(findLine),
      "media.fetch": fetchWanted(findLine, { storage, vault }),
    }),
    events: ({ media }) => ({
      "message.created": tellCreated(media),
      "message.updated": tellChanged(media),
    }),
  };
}
