import { pageSize } from "@prosa/contract";
import type { BodyOf, Chat, ChatBody, ChatMessage, QueryOf, chats } from "@prosa/contract";
import { AppError, requireUser } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
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
  insertChat,
  insertChatMessage,
  lockOwnChat,
  memberIdsOf,
  saveChat,
  searchChats,
  usersAmong,
} from "./chats.queries.ts";
import { chatMessageView, chatView } from "./chats.view.ts";

/** The chats of which the user is a member, the latest first (O-06). */
export async function listChats(ctx: Ctx, query: QueryOf<typeof chats.list>) {
  const { rows, count } = await searchChats(ctx, requireUser(ctx).userId, query);
  return { records: rows.map(chatView), count, hasMore: query.pageNumber * pageSize.others < count };
}

/** ERR_NOT_FOUND, also for a chat of which the user is no member. */
export async function getChat(ctx: Ctx, which: { readonly id: number } | { readonly uuid: string }): Promise<Chat> {
  return chatView(orNotFound(await findOwnChat(ctx, requireUser(ctx).userId, which)));
}

/** Creates a chat of the owner and the named users. ERR_NO_USER_FOUND. */
export async function createChat(ctx: Ctx, { title, users }: ChatBody): Promise<Chat> {
  const { userId } = requireUser(ctx);
  const userIds = users.map(({ id }) => id);
  const known = await usersAmong(ctx, userIds);
  if (known.length < userIds.length) {
    throw new AppError("ERR_NO_USER_FOUND", { userIds });
  }
  const members = membersOf(userId, known);
  const id = await insertChat(ctx, userId, title);
  await addMembers(ctx, id, members);
  ctx.emit(chatCreated(id));
  return getChat(ctx, { id });
}

/**
 * Changes title and members, of whom those are left out that are gone: a form may be older than a colleague's deletion, and does not
 * show whom to untick. If the owner was deleted, the user becomes the owner.
 */
export async function updateChat(ctx: Ctx, id: number, changes: BodyOf<typeof chats.update>): Promise<Chat> {
  const { title, ownerId } = await lockChangeableChat(ctx, id);
  const owner = ownerId ?? requireUser(ctx).userId;
  const before = await memberIdsOf(ctx, id);
  const chosen = changes.users?.map(({ id: userId }) => userId);
  const after = chosen ? membersOf(owner, await thoseWhoAre(ctx, chosen)) : before;
  const added = after.filter((userId) => !before.includes(userId));
  const removed = before.filter((userId) => !after.includes(userId));

  await saveChat(ctx, id, { title: changes.title ?? title, owner_id: owner });
  await addMembers(ctx, id, added);
  await removeMembers(ctx, id, removed);
  ctx.emit(chatUpdated(id, { added, removed }));
  return getChat(ctx, { id });
}

/** ERR_NO_USER_FOUND where somebody was chosen and nobody of them is a user of the company. */
async function thoseWhoAre(ctx: Ctx, chosen: readonly number[]): Promise<readonly number[]> {
  const users = await usersAmong(ctx, chosen);
  if (users.length === 0 && chosen.length > 0) {
    throw new AppError("ERR_NO_USER_FOUND");
  }
  return users;
}

export async function removeChat(ctx: Ctx, id: number): Promise<void> {
  await lockChangeableChat(ctx, id);
  const memberIds = await memberIdsOf(ctx, id);
  await deleteChat(ctx, id);
  ctx.emit(chatDeleted(id, memberIds));
}

export async function listChatMessages(ctx: Ctx, id: number, query: QueryOf<typeof chats.messages>) {
  orNotFound(await findOwnChat(ctx, requireUser(ctx).userId, { id }));
  const { rows, count } = await findChatMessagePage(ctx, id, query);
  return { records: rows.map(chatMessageView), count, hasMore: query.pageNumber * pageSize.messages < count };
}

/** Sends a message, once for each client id. It is unread for all other members. */
export async function sendChatMessage(
  ctx: Ctx,
  chatId: number,
  { message, clientId }: BodyOf<typeof chats.send>,
): Promise<ChatMessage> {
  const { userId, name } = requireUser(ctx);
  orNotFound(await lockOwnChat(ctx, userId, chatId));
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
  const { userId } = requireUser(ctx);
  if (await clearUnread(ctx, id, userId)) {
    ctx.emit(chatRead(id, userId));
  }
  return getChat(ctx, { id });
}

async function lockChangeableChat(ctx: Ctx, id: number) {
  const { userId } = requireUser(ctx);
  const chat = orNotFound(await lockOwnChat(ctx, userId, id));
  if (!canChange(userId, chat)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return chat;
}

/** The owner and the chosen users. ERR_VALIDATION if there is none besides the owner. */
function membersOf(ownerId: number, userIds: readonly number[]): readonly number[] {
  const members = new Set([ownerId, ...userIds]);
  if (members.size === 1) {
    throw new AppError("ERR_VALIDATION", { fields: { users: "Por favor, selecione pelo menos um usuário." } });
  }
  return [...members];
}

function orNotFound<T>(row: T | undefined): T {
  if (row === undefined) {
    throw new AppError("ERR_NOT_FOUND");
  }
  return row;
}
