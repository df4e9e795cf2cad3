import { chats } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  createChat,
  getChat,
  listChatMessages,
  listChats,
  readChat,
  removeChat,
  sendChatMessage,
  updateChat,
} from "./chats.service.ts";

export function chatsRoutes(api: Api): void {
  serve(api, chats.list, (ctx, { query }) => listChats(ctx, query));
  serve(api, chats.byUuid, (ctx, { params }) => getChat(ctx, params));
  serve(api, chats.create, (ctx, { body }) => createChat(ctx, body));
  serve(api, chats.update, (ctx, { params, body }) => updateChat(ctx, params.id, body));
  serve(api, chats.remove, async (ctx, { params }) => {
    await removeChat(ctx, params.id);
    return { message: "Chat deleted" };
  });
  serve(api, chats.messages, (ctx, { params, query }) => listChatMessages(ctx, params.id, query));
  serve(api, chats.send, (ctx, { params, body }) => sendChatMessage(ctx, params.id, body));
  serve(api, chats.read, (ctx, { params }) => readChat(ctx, params.id));
}
