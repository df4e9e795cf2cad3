import type { Feature } from "#server/platform/feature.ts";
import { tellCreated, tellDeleted, tellRead, tellUpdated, tellWritten } from "./chats.realtime.ts";
import { chatsRoutes } from "./chats.routes.ts";

export const feature: Feature = {
  name: "chats",
  routes: chatsRoutes,
  events: () => ({
    "chat.created": tellCreated,
    "chat.updated": tellUpdated,
    "chat.deleted": tellDeleted,
    "chat.written": tellWritten,
    "chat.read": tellRead,
  }),
};
