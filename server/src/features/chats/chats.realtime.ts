import { wireName } from "@prosa/contract";
import type { WirePayload } from "@prosa/contract";
import { z } from "zod";
import { userRoom } from "#server/platform/realtime/index.ts";
import type { Emission, EventHandler, EventTools } from "#server/platform/realtime/index.ts";
import { findChatMessages, findChats } from "./chats.queries.ts";
import type { ChatRow } from "./chats.queries.ts";
import { chatMessageView, chatView } from "./chats.view.ts";

type ChatPacket = WirePayload<"chat">;
type OwnPacket = WirePayload<"chat-user">;

const ids = z.array(z.number().int());
const chatPayload = z.object({ chatId: z.number().int() });
const updatePayload = chatPayload.extend({ added: ids, removed: ids });
const deletionPayload = chatPayload.extend({ memberIds: ids });
const messagePayload = chatPayload.extend({ messageId: z.number().int() });
const readPayload = chatPayload.extend({ userId: z.number().int() });

/** Publishes a new chat to its members. */
export const publishChatCreated: EventHandler = async (batch, tools) => {
  const chats = await chatsOf(batch, tools);
  return chats.flatMap((chat) => memberIdsOf(chat).map((userId) => toUser(tools, userId, "create", chat)));
};

/** Publishes a changed chat: to added members as created, to removed ones as deleted, to the others as updated. */
export const publishChatUpdated: EventHandler = async (batch, tools) => {
  const chats = await chatsOf(batch, tools);
  const events = batch.map(({ payload }) => updatePayload.parse(payload));
  return chats.flatMap((chat) => {
    const changes = events.filter(({ chatId }) => chatId === chat.id);
    const members = memberIdsOf(chat);
    const added = members.filter((id) => changes.some((change) => change.added.includes(id)));
    const removedIds = changes.flatMap(({ removed }) => removed).filter((id) => !members.includes(id));
    const others = members.filter((id) => !added.includes(id));
    return [
      ...toUsers(tools, chat.id, removedIds, { action: "delete", id: chat.id }),
      ...added.map((userId) => toUser(tools, userId, "create", chat)),
      ...toUsers(tools, chat.id, others, { action: "update", chat: chatView(chat) }),
    ];
  });
};

export const publishChatDeleted: EventHandler = async (batch, tools) =>
  batch.flatMap(({ payload }) => {
    const { chatId, memberIds } = deletionPayload.parse(payload);
    return toUsers(tools, chatId, memberIds, { action: "delete", id: chatId });
  });

/** Publishes new messages to all present members, the sender's other windows included. */
export const publishChatMessages: EventHandler = async (batch, tools) => {
  const chats = new Map((await chatsOf(batch, tools)).map((chat) => [chat.id, chat]));
  const messageIds = batch.map(({ payload }) => messagePayload.parse(payload).messageId);
  const messages = await tools.read((ctx) => findChatMessages(ctx, messageIds));
  return messages.flatMap((message) => {
    const chat = chats.get(message.chatId);
    return chat
      ? toUsers(tools, chat.id, memberIdsOf(chat), {
          action: "new-message",
          newMessage: chatMessageView(message),
          chat: chatView(chat),
        })
      : [];
  });
};

/** Publishes that a member read the chat to that member's own windows. */
export const publishChatRead: EventHandler = async (batch, tools) => {
  const chats = await chatsOf(batch, tools);
  const events = batch.map(({ payload }) => readPayload.parse(payload));
  return chats.flatMap((chat) => {
    const readers = new Set(events.filter(({ chatId }) => chatId === chat.id).map(({ userId }) => userId));
    return memberIdsOf(chat)
      .filter((id) => readers.has(id))
      .map((userId) => toUser(tools, userId, "update", chat));
  });
};

async function chatsOf(batch: Parameters<EventHandler>[0], { read }: EventTools): Promise<ChatRow[]> {
  return read((ctx) => findChats(ctx, [...new Set(batch.map(({ payload }) => chatPayload.parse(payload).chatId))]));
}

function memberIdsOf({ users }: ChatRow): number[] {
  return users.map(({ userId }) => userId);
}

/** Emits to these users under both event names of the specification: the one of all chats and the one of this chat. */
function toUsers(
  { companyId }: EventTools,
  chatId: number,
  userIds: readonly number[],
  payload: ChatPacket,
): Emission[] {
  const name = wireName(companyId, "chat");
  const rooms = [...new Set(userIds)].map(userRoom);
  return rooms.length === 0 ? [] : [name, `${name}-${chatId}`].map((event) => ({ rooms, event, payload }));
}

function toUser({ companyId }: EventTools, userId: number, action: OwnPacket["action"], chat: ChatRow): Emission {
  const payload: OwnPacket = { action, record: chatView(chat) };
  return { rooms: [userRoom(userId)], event: `${wireName(companyId, "chat-user")}-${userId}`, payload };
}
