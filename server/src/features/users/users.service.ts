import type { User, UserBody, UserChanges } from "@prosa/contract";
import { pageSize } from "@prosa/contract";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import { hashPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import { endSessionsOfUser } from "#server/features/auth/index.ts";
import { checkPlanLimit } from "#server/features/plans/index.ts";
import { userCreated, userDeleted, userUpdated } from "./users.events.ts";
import { forbiddenChanges, maySeeUser, mayChangeUser, seesWholeUsers } from "./users.policy.ts";
import type { UserField } from "./users.policy.ts";
import {
  deleteOpenInvitation,
  deleteUser,
  expireOpenInvitation,
  findColleagues,
  findOpenTicketIds,
  findUser,
  hasConnection,
  hasQueues,
  lockAdmins,
  lockOperators,
  insertUser,
  lockUser,
  lockUserForChange,
  replaceQueuesOfUser,
  saveUser,
  searchUsers,
} from "./users.queries.ts";
import type { UserFields, UserRow } from "./users.queries.ts";
import { colleagueView, userView } from "./users.view.ts";

/** A page of users: whole for an admin, with the fields of the picker for everybody else. */
export async function listUsers(ctx: Ctx, query: { searchParam: string; pageNumber: number }) {
  const seesAll = seesWholeUsers(ctx.actor);
  const { rows, count } = await searchUsers(ctx, { ...query, seesAll });
  return {
    users: rows.map(seesAll ? userView : colleagueView),
    count,
    hasMore: query.pageNumber * pageSize.others < count,
  };
}

/** All users of the company, for a picker. */
export async function listColleagues(ctx: Ctx) {
  return (await findColleagues(ctx)).map(colleagueView);
}

export async function getUser(ctx: Ctx, id: number): Promise<User> {
  if (!maySeeUser(ctx.actor, id)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return userView(await loadUser(ctx, id));
}

/** Adds a user, within the plan's limit (U-02). Throws ERR_PLAN_LIMIT, ERR_EMAIL_TAKEN, ERR_NO_WAPP_FOUND, ERR_NO_QUEUE_FOUND. */
export async function createUser(ctx: Ctx, body: UserBody): Promise<User> {
  const id = await addUser(ctx, await fieldsOf(body), body.queueIds);
  return userView(await loadUser(ctx, id));
}

/** The same for fields that are ready to be saved; returns the id. */
export async function addUser(ctx: Ctx, fields: UserFields, queueIds: readonly number[]): Promise<number> {
  await checkPlanLimit(ctx, "users");
  await checkConnection(ctx, fields.connection_id);
  await checkQueues(ctx, queueIds);

  const id = await withFreeEmail(async () => insertUser(ctx, fields));
  await replaceQueuesOfUser(ctx, id, queueIds);
  ctx.emit(userCreated(id));
  await recordAudit(ctx, {
    action: "user.created",
    target: { type: "user", id, name: fields.name },
    details: { email: fields.email, profile: fields.profile, queueIds },
  });
  return id;
}

/**
 * Changes a user; a new password ends their sessions. Throws ERR_NO_PERMISSION where the actor may not change a field
 * (U-03).
 */
export async function updateUser(ctx: Ctx, id: number, body: UserChanges): Promise<User> {
  await requireMayChange(ctx, await loadUser(ctx, id));
  // Two changes at the same instant run one after the other: both replace the queues. After the lock of `requireMayChange`, as in
  // `removeUser`.
  await lockUserForChange(ctx, id);
  const row = await loadUser(ctx, id);
  const changes = changesOf(userView(row), body);
  if (forbiddenChanges(ctx.actor, id, fieldsIn(changes)).length > 0) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  await checkConnection(ctx, changes.whatsappId);
  await checkQueues(ctx, changes.queueIds);

  const fields = await changedFieldsOf(changes);
  await withFreeEmail(() => saveUser(ctx, id, fields));
  if (changes.queueIds) {
    await replaceQueuesOfUser(ctx, id, changes.queueIds);
  }
  if (changes.password) {
    await deleteOpenInvitation(ctx, id);
  } else if (changes.email !== undefined) {
    // The link went to the former address, which may be a stranger's.
    await expireOpenInvitation(ctx, id);
  }
  ctx.emit(userUpdated(id));
  await recordUpdate(ctx, row, changes);
  if (changes.password) {
    await endSessionsOfUser(ctx, id);
  }

  return userView(await loadUser(ctx, id));
}

/** What higher features do with what a deleted user leaves; in the transaction that deletes the user. */
export interface DeletionPorts {
  readonly returnTicket: ReturnTicket;
  /** Called when nobody can add anything of this user any more. */
  readonly releaseQuickMessages: (ctx: Ctx, userId: number) => Promise<void>;
}

/**
 * Deletes a user. Their open tickets become pending first (U-05), and what the company shares of theirs stays (decision 0298).
 * Nobody deletes their own account: a company keeps an admin. `check` runs when nothing can change the user any more.
 */
export async function removeUser(
  ctx: Ctx,
  id: number,
  { returnTicket, releaseQuickMessages }: DeletionPorts,
  check?: () => Promise<void>,
): Promise<void> {
  const target = await loadUser(ctx, id);
  await requireMayChange(ctx, target);
  if (ctx.actor.kind === "user" && ctx.actor.userId === id) {
    throw new AppError("ERR_NO_PERMISSION");
  }

  await returnTickets(ctx, id, returnTicket);
  // After the lock the user accepts no ticket; tickets accepted until then are returned, too. Tickets are locked before
  // users everywhere, so the first pass comes before this lock.
  await lockUser(ctx, id);
  await check?.();
  await returnTickets(ctx, id, returnTicket);
  await releaseQuickMessages(ctx, id);
  await deleteUser(ctx, id);
  ctx.emit(userDeleted(id));
  await recordAudit(ctx, { action: "user.deleted", target: { type: "user", id, name: target.name } });
}

/**
 * Throws ERR_NO_PERMISSION. Changes of operators by operators are serialized: an operator who was removed meanwhile
 * changes none, so one is always left. The same holds for the admins of a company.
 */
export async function requireMayChange(ctx: Ctx, target: UserRow): Promise<void> {
  if (
    !mayChangeUser(ctx.actor, { id: target.id, isSuper: target.is_super }) ||
    !(await isStillEqualRank(ctx, target))
  ) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

/** For a change of an operator or an admin by an equal: does the actor still have that rank? Locked until the transaction ends. */
async function isStillEqualRank(ctx: Ctx, target: UserRow): Promise<boolean> {
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.userId === target.id) {
    return true;
  }
  if (target.is_super) {
    return lockOperators(ctx, actor.userId);
  }
  return target.profile !== "admin" || lockAdmins(ctx, actor.userId);
}

async function returnTickets(ctx: Ctx, userId: number, returnTicket: ReturnTicket): Promise<void> {
  for (const ticketId of await findOpenTicketIds(ctx, userId)) {
    await returnTicket(ctx, ticketId);
  }
}

/** Makes an open ticket pending again. */
type ReturnTicket = (ctx: Ctx, ticketId: number) => Promise<unknown>;

export async function loadUser(ctx: Ctx, id: number): Promise<UserRow> {
  const row = await findUser(ctx, id);
  if (!row) {
    throw new AppError("ERR_NO_USER_FOUND", { userId: id });
  }
  return row;
}

/** The fields that differ from the current row: forms send all fields, and an unchanged one needs no permission. */
function changesOf(before: User, body: UserChanges): UserChanges {
  const queueIds = body.queueIds?.toSorted((a, b) => a - b);
  const had = before.queues.map(({ id }) => id).toSorted((a, b) => a - b);
  return {
    ...(body.name !== undefined && body.name !== before.name && { name: body.name }),
    ...(body.email !== undefined && body.email !== before.email && { email: body.email }),
    ...(body.password && { password: body.password }),
    ...(body.profile !== undefined && body.profile !== before.profile && { profile: body.profile }),
    ...(body.allTicket !== undefined && body.allTicket !== before.allTicket && { allTicket: body.allTicket }),
    ...(body.whatsappId !== undefined && body.whatsappId !== before.whatsappId && { whatsappId: body.whatsappId }),
    ...(queueIds && queueIds.join() !== had.join() && { queueIds }),
  };
}

/** What changes somebody's rights, and a new password, stand out from the rest. */
async function recordUpdate(ctx: Ctx, row: UserRow, { password, ...changes }: UserChanges): Promise<void> {
  const target = { type: "user", id: row.id, name: row.name } as const;
  const before = userView(row);
  const details = changedFields({ ...before, queueIds: before.queues.map((queue) => queue.id) }, changes);
  if (password) {
    await recordAudit(ctx, { action: "password.changed", target });
  }
  if (details) {
    const isOfRights = ["profile", "allTicket", "queueIds"].some((field) => field in details);
    await recordAudit(ctx, { action: isOfRights ? "user.rights-changed" : "user.updated", target, details });
  }
}

function fieldsIn(changes: UserChanges): UserField[] {
  return Object.keys(changes) as UserField[];
}

async function fieldsOf(body: UserBody): Promise<UserFields> {
  return {
    name: body.name,
    email: body.email,
    password_hash: await hashPassword(body.password),
    profile: body.profile,
    all_ticket: body.allTicket === "enabled",
    connection_id: body.whatsappId,
  };
}

async function changedFieldsOf(changes: UserChanges): Promise<Partial<UserFields>> {
  const { name, email, password, profile, allTicket, whatsappId } = changes;
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(password && { password_hash: await hashPassword(password) }),
    ...(profile !== undefined && { profile }),
    ...(allTicket !== undefined && { all_ticket: allTicket === "enabled" }),
    ...(whatsappId !== undefined && { connection_id: whatsappId }),
  };
}

async function checkConnection(ctx: Ctx, connectionId: number | null | undefined): Promise<void> {
  if (connectionId != null && !(await hasConnection(ctx, connectionId))) {
    throw new AppError("ERR_NO_WAPP_FOUND", { whatsappId: connectionId });
  }
}

async function checkQueues(ctx: Ctx, queueIds: readonly number[] | undefined): Promise<void> {
  if (queueIds && !(await hasQueues(ctx, queueIds))) {
    throw new AppError("ERR_NO_QUEUE_FOUND", { queueIds });
  }
}

/** Throws ERR_EMAIL_TAKEN: e-mail addresses are unique over all companies, as users sign in with them. */
export async function withFreeEmail<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (brokenConstraint(error) === "users_email_key") {
      throw new AppError("ERR_EMAIL_TAKEN", undefined, { cause: error });
    }
    throw error;
  }
}
