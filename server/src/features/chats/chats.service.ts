import { pageSize } from "@prosa/contract";
import type { BodyOf, Chat, ChatBody, ChatMessage, QueryOf, chats } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, UserActor } from "#server/platform/ctx.ts";
import { chatCreated, chatDeleted, chatRead, chatUpdated, chatWritten } from "./chats.events.ts";
import { canChange } from "./chats.policy.ts";
import {
  addMembers,
  clearUnread,
  incrementUnread,
  deleteChat,
  removeMembers,
  findChatMessagePage,
  findChatMessages,
  findOwnChat,
  findMessageByClientId,
  hasUsers,
  insertChat,
  insertChatMessage,
  lockOwnChat,
  memberIdsOf,
  saveChat,
  searchChats,
} from "./chats.queries.ts";
import { chatMessageView, chatView } from "./chats.view.ts";

/** The chats that one is in, the latest first (O-06). */
export async function listChats(ctx: Ctx, query: QueryOf<typeof chats.list>) {
  const { rows, count } = await searchChats(ctx, person(ctx).userId, query);
  return { records: rows.map(chatView), count, hasMore: query.pageNumber * pageSize.others < count };
}

/** ERR_NOT_FOUND also for a chat that one is not in. */
export async function getChat(ctx: Ctx, which: { readonly id: number } | { readonly uuid: string }): Promise<Chat> {
  return chatView(found(await findOwnChat(ctx, person(ctx).userId, which)));
}

/** The owner is in it besides those who are named. ERR_NO_USER_FOUND. */
export async function createChat(ctx: Ctx, { title, users }: ChatBody): Promise<Chat> {
  const { userId } = person(ctx);
  const members = await membersFor(ctx, userId, users);
  const id = await insertChat(ctx, userId, title);
  await addMembers(ctx, id, members);
  ctx.emit(chatCreated(id));
  return getChat(ctx, { id });
}

/** Whoever is not in it any more has lost it at once. Who changes a chat that its owner left owns it from then on. */
export async function updateChat(ctx: Ctx, id: number, changes: BodyOf<typeof chats.update>): Promise<Chat> {
  const { title, ownerId } = await lockChangeableChat(ctx, id);
  const owner = ownerId ?? person(ctx).userId;
  const before = await memberIdsOf(ctx, id);
  const after = changes.users ? await membersFor(ctx, owner, changes.users) : before;
  const added = after.filter((userId) => !before.includes(userId));
  const removed = before.filter((userId) => !after.includes(userId));

  await saveChat(ctx, id, { title: changes.title ?? title, owner_id: owner });
  await addMembers(ctx, id, added);
  await removeMembers(ctx, id, removed);
  ctx.emit(chatUpdated(id, { added, removed }));
  return getChat(ctx, { id });
}

export async function removeChat(ctx: Ctx, id: number): Promise<void> {
  await lockChangeableChat(ctx, id);
  const memberIds = await memberIdsOf(ctx, id);
  await deleteChat(ctx, id);
  ctx.emit(chatDeleted(id, memberIds));
}

export async function listChatMessages(ctx: Ctx, id: number, query: QueryOf<typeof chats.messages>) {
  found(await findOwnChat(ctx, person(ctx).userId, { id }));
  const { rows, count } = await findChatMessagePage(ctx, id, query);
  return { records: rows.map(chatMessageView), count, hasMore: query.pageNumber * pageSize.messages < count };
}

/** Writes in it, once for each id of the browser: it is unread for everybody else. */
export async function sendChatMessage(
  ctx: Ctx,
  chatId: number,
  { message, clientId }: BodyOf<typeof chats.send>,
): Promise<ChatMessage> {
  const { userId, name } = person(ctx);
  found(await lockOwnChat(ctx, userId, chatId));
  const sent = clientId && (await findMessageByClientId(ctx, chatId, clientId));
  if (sent) {
    return chatMessageView(sent);
  }

  const fields = {
    chatId,
    senderId: userId,
    senderName: name,
    message,
    clientId: clientId ?? null,
    createdAt: ctx.now(),
  };
  const id = await insertChatMessage(ctx, fields);
  await saveChat(ctx, chatId, { last_message: message });
  await incrementUnread(ctx, chatId, userId);
  ctx.emit(chatWritten(chatId, id));
  return chatMessageView((await findChatMessages(ctx, [id]))[0]!);
}

export async function readChat(ctx: Ctx, id: number): Promise<Chat> {
  const { userId } = person(ctx);
  if (await clearUnread(ctx, id, userId)) {
    ctx.emit(chatRead(id, userId));
  }
  return getChat(ctx, { id });
}

async function lockChangeableChat(ctx: Ctx, id: number) {
  const { userId } = person(ctx);
  const chat = found(await lockOwnChat(ctx, userId, id));
  if (!canChange(userId, chat)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return chat;
}

/** The owner and those who were chosen, of whom there is at least one. */
async function membersFor(ctx: Ctx, ownerId: number, users: ChatBody["users"]): Promise<readonly number[]> {
  const others = new Set(users.map(({ id }) => id));
  others.delete(ownerId);
  if (others.size === 0) {
    throw new AppError("ERR_VALIDATION", { fields: { users: "Por favor, selecione pelo menos um usuário." } });
  }
  if (!(await hasUsers(ctx, [...others]))) {
    throw new AppError("ERR_NO_USER_FOUND", { userIds: [...others] });
  }
  return [ownerId, ...others];
}

function found<T>(row: T | undefined): T {
  if (row === undefined) {
    throw new AppError("ERR_NOT_FOUND");
  }
  return row;
}

function person({ actor }: Ctx): UserActor {
  if (actor.kind !== "user") {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return actor;
}
