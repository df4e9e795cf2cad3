import { pageSize } from "@prosa/contract";
import type { Chat } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type {} from "./chats.tables.ts";

export interface ChatRow {
  readonly id: number;
  readonly uuid: string;
  readonly title: string;
  readonly ownerId: number | null;
  readonly lastMessage: string;
  readonly updatedAt: Date;
  readonly users: Chat["users"];
}

export interface ChatMessageRow {
  readonly id: number;
  readonly chatId: number;
  readonly senderId: number | null;
  readonly senderName: string;
  readonly message: string;
  readonly clientId: string | null;
  readonly createdAt: Date;
}

function selectChats(ctx: Ctx) {
  return ctx.db
    .selectFrom("chats as c")
    .where("c.company_id", "=", ctx.companyId)
    .select([
      "c.id",
      "c.uuid",
      "c.title",
      "c.owner_id as ownerId",
      "c.last_message as lastMessage",
      "c.updated_at as updatedAt",
      sql<Chat["users"]>`coalesce((
        select json_agg(json_build_object('userId', u.id, 'unreads', cu.unreads,
          'user', json_build_object('id', u.id, 'name', u.name)) order by folded(u.name), u.id)
        from chat_users cu join users u on u.id = cu.user_id where cu.chat_id = c.id), '[]')`.as("users"),
    ]);
}

/** Is this user a member of chat `c`? */
function hasMember(userId: number) {
  return sql<boolean>`exists (select from chat_users me where me.chat_id = c.id and me.user_id = ${userId})`;
}

/** The chats of which the user is a member, the latest first. */
export async function searchChats(
  ctx: Ctx,
  userId: number,
  query: { readonly searchParam: string; readonly pageNumber: number; readonly withUnread: boolean },
): Promise<{ readonly rows: ChatRow[]; readonly count: number }> {
  const { searchParam, pageNumber, withUnread } = query;
  const match = sql<boolean>`(${searchParam} = '' or strpos(folded(c.title), folded(${searchParam})) > 0
      or exists (select from chat_users cu join users u on u.id = cu.user_id
        where cu.chat_id = c.id and strpos(folded(u.name), folded(${searchParam})) > 0))
    and exists (select from chat_users me where me.chat_id = c.id and me.user_id = ${userId}
      and (not ${withUnread}::boolean or me.unreads > 0))`;
  const [rows, { count }] = await Promise.all([
    selectChats(ctx)
      .where(match)
      .orderBy("c.updated_at", "desc")
      .orderBy("c.id", "desc")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    ctx.db
      .selectFrom("chats as c")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("c.company_id", "=", ctx.companyId)
      .where(match)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

/** Chats with all members, without a check of the actor: for publishing. */
export async function findChats(ctx: Ctx, ids: readonly number[]): Promise<ChatRow[]> {
  return ids.length === 0 ? [] : selectChats(ctx).where("c.id", "in", ids).execute();
}

/** Undefined if there is no such chat or the user is no member. */
export async function findOwnChat(
  ctx: Ctx,
  userId: number,
  which: { readonly id: number } | { readonly uuid: string },
): Promise<ChatRow | undefined> {
  const chats = selectChats(ctx).where(hasMember(userId));
  return (
    "id" in which ? chats.where("c.id", "=", which.id) : chats.where("c.uuid", "=", which.uuid)
  ).executeTakeFirst();
}

/** Locks the chat until the transaction ends, so that ids of its messages follow the order of commits. */
export async function lockOwnChat(
  ctx: Ctx,
  userId: number,
  id: number,
): Promise<{ readonly id: number; readonly title: string; readonly ownerId: number | null } | undefined> {
  return ctx.db
    .selectFrom("chats as c")
    .select(["c.id", "c.title", "c.owner_id as ownerId"])
    .where("c.company_id", "=", ctx.companyId)
    .where("c.id", "=", id)
    .where(hasMember(userId))
    .forUpdate()
    .executeTakeFirst();
}

/** Which of these users belong to the company? In the given order. */
export async function usersAmong(ctx: Ctx, userIds: readonly number[]): Promise<readonly number[]> {
  const rows = await ctx.db
    .selectFrom("users")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", [...userIds, 0])
    .execute();
  return userIds.filter((userId) => rows.some(({ id }) => id === userId));
}

export async function insertChat(ctx: Ctx, ownerId: number, title: string): Promise<number> {
  const { id } = await ctx.db
    .insertInto("chats")
    .values({ company_id: ctx.companyId, owner_id: ownerId, title, updated_at: ctx.now() })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveChat(
  ctx: Ctx,
  id: number,
  fields: { readonly title: string; readonly owner_id: number } | { readonly last_message: string },
): Promise<void> {
  await ctx.db
    .updateTable("chats")
    .set({ ...fields, updated_at: ctx.now(), company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

export async function deleteChat(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("chats").where("company_id", "=", ctx.companyId).where("id", "=", id).execute();
}

export async function memberIdsOf(ctx: Ctx, chatId: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom("chat_users")
    .select("user_id")
    .where("company_id", "=", ctx.companyId)
    .where("chat_id", "=", chatId)
    .execute();
  return rows.map((row) => row.user_id);
}

export async function addMembers(ctx: Ctx, chatId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length > 0) {
    await ctx.db
      .insertInto("chat_users")
      .values(userIds.map((userId) => ({ company_id: ctx.companyId, chat_id: chatId, user_id: userId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function removeMembers(ctx: Ctx, chatId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length > 0) {
    await ctx.db
      .deleteFrom("chat_users")
      .where("company_id", "=", ctx.companyId)
      .where("chat_id", "=", chatId)
      .where("user_id", "in", userIds)
      .execute();
  }
}

const MESSAGE = `m.id, m.chat_id as "chatId", m.sender_id as "senderId", coalesce(u.name, m.sender_name) as "senderName",
    m.message, m.client_id as "clientId", m.created_at as "createdAt"
  from chat_messages m left join users u on u.id = m.sender_id`;

const PAGE: Statement<ChatMessageRow> = {
  name: "chat_messages_page",
  text: `select ${MESSAGE} where m.company_id = $1 and m.chat_id = $2 and ($3::int is null or m.id < $3)
    order by m.id desc limit ${pageSize.messages} offset $4`,
};

const COUNT: Statement<{ count: number }> = {
  name: "chat_messages_count",
  text: `select count(*)::int as count from chat_messages
    where company_id = $1 and chat_id = $2 and ($3::int is null or id < $3)`,
};

/** A page of the messages, or of those before a message: oldest to newest; page 1 has the newest. */
export async function findChatMessagePage(
  ctx: Ctx,
  chatId: number,
  { pageNumber, before = null }: { readonly pageNumber: number; readonly before?: number | null | undefined },
): Promise<{ readonly rows: ChatMessageRow[]; readonly count: number }> {
  const [rows, [total]] = await Promise.all([
    ctx.raw(PAGE, [ctx.companyId, chatId, before, (pageNumber - 1) * pageSize.messages]),
    ctx.raw(COUNT, [ctx.companyId, chatId, before]),
  ]);
  return { rows: rows.toReversed(), count: total!.count };
}

const FIND: Statement<ChatMessageRow> = {
  name: "chat_messages_find",
  text: `select ${MESSAGE} where m.company_id = $1 and m.id = any($2::int[]) order by m.id`,
};

export async function findChatMessages(ctx: Ctx, ids: readonly number[]): Promise<ChatMessageRow[]> {
  return ctx.raw(FIND, [ctx.companyId, ids]);
}

const FIND_SENT: Statement<ChatMessageRow> = {
  name: "chat_messages_find_sent",
  text: `select ${MESSAGE} where m.company_id = $1 and m.chat_id = $2 and m.client_id = $3`,
};

/** The message that was stored under this client id before. */
export async function findMessageByClientId(
  ctx: Ctx,
  chatId: number,
  clientId: string,
): Promise<ChatMessageRow | undefined> {
  return (await ctx.raw(FIND_SENT, [ctx.companyId, chatId, clientId]))[0];
}

export async function insertChatMessage(
  ctx: Ctx,
  message: Omit<ChatMessageRow, "id" | "senderId"> & { readonly senderId: number },
): Promise<number> {
  const { id } = await ctx.db
    .insertInto("chat_messages")
    .values({
      company_id: ctx.companyId,
      chat_id: message.chatId,
      sender_id: message.senderId,
      sender_name: message.senderName,
      message: message.message,
      client_id: message.clientId,
      created_at: message.createdAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Raises the unread count of all members but the sender. */
export async function incrementUnread(ctx: Ctx, chatId: number, senderId: number): Promise<void> {
  await ctx.db
    .updateTable("chat_users")
    .set((of) => ({ unreads: of("unreads", "+", 1), company_id: ctx.companyId }))
    .where("company_id", "=", ctx.companyId)
    .where("chat_id", "=", chatId)
    .where("user_id", "!=", senderId)
    .execute();
}

/** Resets the unread count of a member. True if something was unread. */
export async function clearUnread(ctx: Ctx, chatId: number, userId: number): Promise<boolean> {
  const cleared = await ctx.db
    .updateTable("chat_users")
    .set({ unreads: 0, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("chat_id", "=", chatId)
    .where("user_id", "=", userId)
    .where("unreads", ">", 0)
    .returning("user_id")
    .execute();
  return cleared.length > 0;
}
