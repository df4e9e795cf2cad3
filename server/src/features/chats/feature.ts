import type { Feature } from "#server/platform/feature.ts";
import {
  publishChatCreated,
  publishChatDeleted,
  publishChatRead,
  publishChatUpdated,
  publishChatMessages,
} from "./chats.realtime.ts";
import { chatsRoutes } from "./chats.routes.ts";

export const feature: Feature = {
  name: "chats",
  routes: chatsRoutes,
  events: () => ({
    "chat.created": publishChatCreated,
    "chat.updated": publishChatUpdated,
    "chat.deleted": publishChatDeleted,
    "chat.written": publishChatMessages,
    "chat.read": publishChatRead,
  }),
};
