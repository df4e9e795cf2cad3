import type { Message, NotificationRecipient, Ticket } from "@prosa/contract";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { overdueFromSql } from "#server/platform/db/index.ts";
import type { Db, Statement, SystemTx } from "#server/platform/db/index.ts";
import type {} from "./devices.tables.ts";

export interface EncryptedVapidKeys {
  readonly publicKey: string;
  readonly privateKey: Buffer;
}

export async function findPushKeys(db: Db): Promise<EncryptedVapidKeys | undefined> {
  return db.system
    .selectFrom("push_keys")
    .select(["public_key as publicKey", "private_key as privateKey"])
    .executeTakeFirst();
}

/** Does nothing if another process inserted its keys first. */
export async function insertPushKeys(db: Db, { publicKey, privateKey }: EncryptedVapidKeys): Promise<void> {
  await db.system
    .insertInto("push_keys")
    .values({ public_key: publicKey, private_key: privateKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes these keys, and all subscriptions with them; nothing where another process has replaced them already. */
export async function forgetPushKeys({ db }: SystemTx, publicKey: string): Promise<void> {
  const forgotten = await db.deleteFrom("push_keys").where("public_key", "=", publicKey).returning("id").execute();
  if (forgotten.length > 0) {
    await db.deleteFrom("push_subscriptions").execute();
  }
}

export interface NewSubscription {
  readonly userId: number;
  readonly sessionId: string;
  readonly endpoint: string;
  readonly keys: Buffer;
}

/** Deletes the subscriptions of this browser in other companies: it now belongs to another user. */
export async function deleteFromOtherCompanies(db: Db, endpoint: string, companyId: number): Promise<void> {
  await db.system
    .deleteFrom("push_subscriptions")
    .where("endpoint", "=", endpoint)
    .where("company_id", "!=", companyId)
    .execute();
}

export async function upsertSubscription(
  ctx: Ctx,
  { userId, sessionId, endpoint, keys }: NewSubscription,
): Promise<void> {
  const owner = { user_id: userId, session_id: sessionId, keys };
  await ctx.db
    .insertInto("push_subscriptions")
    .values({ company_id: ctx.companyId, endpoint, ...owner })
    .onConflict((conflict) => conflict.column("endpoint").doUpdateSet(owner))
    .execute();
}

/** Deletes all but the newest subscriptions of a user. */
export async function keepNewestSubscriptions(ctx: Ctx, userId: number, limit: number): Promise<void> {
  await ctx.db
    .deleteFrom("push_subscriptions")
    .where("id", "in", (query) =>
      query
        .selectFrom("push_subscriptions")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy("id", "desc")
        .offset(limit),
    )
    .execute();
}

export async function deleteSubscription(ctx: Ctx, userId: number, endpoint: string): Promise<void> {
  await ctx.db
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", userId)
    .where("endpoint", "=", endpoint)
    .execute();
}

export async function deleteSubscriptionById(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("push_subscriptions").where("id", "=", id).execute();
}

export async function hasSubscriptions(ctx: Ctx): Promise<boolean> {
  const row = await ctx.db.selectFrom("push_subscriptions").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function findSubscriptionIds(ctx: Ctx, userId: number): Promise<number[]> {
  const rows = await ctx.db.selectFrom("push_subscriptions").select("id").where("user_id", "=", userId).execute();
  return rows.map(({ id }) => id);
}

export interface Subscription {
  readonly id: number;
  readonly userId: number;
  readonly endpoint: string;
  readonly keys: Buffer;
}

export async function findSubscription(ctx: Ctx, id: number): Promise<Subscription | undefined> {
  return ctx.db
    .selectFrom("push_subscriptions")
    .select(["id", "user_id as userId", "endpoint", "keys"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** A user with push subscriptions whose session is active. */
export interface NotifiableUser extends NotificationRecipient {
  readonly subscriptionIds: readonly number[];
  /** Has a browser open, which notifies by itself. */
  readonly isOnline: boolean;
}

/** Joins that require an active session and an active company: what `companyClosedError` decides, for users without an open browser. */
const activeSession = `join sessions e on e.id = s.session_id and e.user_id = s.user_id
      and e.ended_at is null and e.expires_at > now()
    join companies c on c.id = s.company_id and c.is_active
      and (c.due_date is null or ${overdueFromSql("c")} > now())`;

const FIND_NOTIFIABLE_USERS: Statement<NotifiableUser> = {
  name: "devices_notifiable_users",
  text: `select u.id as "userId", u.all_ticket as "allTicket",
      coalesce((select json_agg(uq.queue_id) from user_queues uq where uq.user_id = u.id), '[]') as "queueIds",
      coalesce((select p.is_online and p.seen_at > now() - interval '60 s' from user_presence p
        where p.user_id = u.id), false) as "isOnline",
      json_agg(s.id order by s.id) as "subscriptionIds"
    from push_subscriptions s
    join users u on u.id = s.user_id
    ${activeSession}
    where s.company_id = $1
    group by u.id`,
};

/** Runs as the system role, because companies may not read sessions. */
export async function findNotifiableUsers(db: Db, companyId: number): Promise<NotifiableUser[]> {
  return db.systemRaw(FIND_NOTIFIABLE_USERS, [companyId]);
}

const MAY_NOTIFY: Statement<{ id: number }> = {
  name: "devices_may_notify",
  text: `select s.id from push_subscriptions s ${activeSession} where s.company_id = $1 and s.id = $2`,
};

/** May this device still get a push? Checked again before sending, because the job may have waited. */
export async function mayNotify(db: Db, companyId: number, subscriptionId: number): Promise<boolean> {
  return (await db.systemRaw(MAY_NOTIFY, [companyId, subscriptionId])).length > 0;
}

/** A message with what decides who is notified of it, and what the notification shows. */
export interface MessageNotification {
  readonly message: Pick<Message, "fromMe" | "read" | "body" | "mediaType">;
  readonly ticket: Pick<Ticket, "uuid" | "status" | "userId" | "queueId" | "isGroup">;
  readonly contact: string;
}

const FIND_NOTIFICATION: Statement<MessageNotification> = {
  name: "devices_notification",
  text: `select
      json_build_object('fromMe', m.from_me, 'read', m.is_read, 'body', left(m.body, 200), 'mediaType', m.media_type) as message,
      json_build_object('uuid', t.uuid, 'status', t.status, 'userId', t.user_id, 'queueId', t.queue_id,
        'isGroup', t.is_group) as ticket,
      coalesce(nullif(c.name, ''), c.number, '') as contact
    from messages m join tickets t on t.id = m.ticket_id join contacts c on c.id = t.contact_id
    where m.company_id = $1 and m.id = $2 and not m.is_deleted`,
};

/** Undefined if the message was deleted meanwhile. */
export async function findNotification(ctx: Ctx, messageId: number): Promise<MessageNotification | undefined> {
  const [notification] = await ctx.raw(FIND_NOTIFICATION, [ctx.companyId, messageId]);
  return notification;
}

/** The encryption contexts (additional authenticated data) of the VAPID key and of a device's keys. */
export const pushKeyContext = "push-key";
export const subscriptionKeysContext = (endpoint: string) => `push:${endpoint}`;

export const sealedDevices: readonly SealedColumn[] = [
  { table: "push_keys", column: "private_key", key: ["id"], contextOf: () => pushKeyContext, isShared: true },
  {
    table: "push_subscriptions",
    column: "keys",
    key: ["endpoint"],
    contextOf: (row) => subscriptionKeysContext(String(row["endpoint"])),
  },
];
