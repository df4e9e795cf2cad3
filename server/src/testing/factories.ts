import { connectionBody, contactBody, defaultSchedules, planFlags, queueBody, userBody } from "@prosa/contract";
import type { Connection, Contact, PlanFlag, Profile, Queue, User } from "@prosa/contract";
import type { BodyIn, connections, contacts, queues } from "@prosa/contract";
import { sql } from "kysely";
import { openSession } from "#server/features/auth/index.ts";
import { createCompany } from "#server/features/companies/index.ts";
import { createConnection, changeState } from "#server/features/connections/index.ts";
import { createContact } from "#server/features/contacts/index.ts";
import { findOrCreatePlan } from "#server/features/plans/index.ts";
import { createQueue } from "#server/features/queues/index.ts";
import { createUser } from "#server/features/users/index.ts";
import type { AccessClaims } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { TestApp } from "./app.ts";

/** Test data created through the services. */

let serial = 0;
function next(): number {
  serial += 1;
  return serial;
}

export const testPassword = "prosa123";

/** A company with its first admin. */
export interface TestCompany {
  readonly app: TestApp;
  readonly id: number;
  readonly name: string;
  readonly admin: TestUser;
  /** Runs work in a transaction of the company, as the system actor. */
  inside<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
}

/** A signed-in user: `app.as(user).get(…)`. */
export interface TestUser extends AccessClaims {
  readonly email: string;
  readonly name: string;
}

export interface CompanyOptions {
  readonly name?: string;
  readonly limit?: number;
  readonly withoutFlags?: readonly PlanFlag[];
  /** The last day that is paid for, `2026-03-01`. */
  readonly dueDate?: string | null;
  readonly timeZone?: string;
  readonly isOperator?: boolean;
}

export async function aCompany(app: TestApp, options: CompanyOptions = {}): Promise<TestCompany> {
  const { name = `Company ${next()}`, limit = 100, withoutFlags = [], dueDate = null, timeZone, isOperator } = options;
  const flags = Object.fromEntries(planFlags.map((flag) => [flag, !withoutFlags.includes(flag)]));
  const admin = { name: "Admin", email: `admin${next()}@example.com`, password: testPassword };
  const made = await app.db.systemTx(async (tx) => {
    const plan = await findOrCreatePlan(tx, {
      name: `Plan ${next()}`,
      users: limit,
      connections: limit,
      queues: limit,
      value: 99.9,
      isPublic: false,
      ...(flags as Record<PlanFlag, boolean>),
    });
    return createCompany(tx, {
      name,
      email: admin.email,
      planId: plan.id,
      dueDate,
      ...(timeZone !== undefined && { timeZone }),
      admin: { ...admin, isSuper: isOperator ?? false },
    });
  });

  const { db, services } = app;
  const actor = { kind: "system", companyId: made.companyId, reason: "test" } as const;
  return {
    app,
    id: made.companyId,
    name,
    admin: await signedIn(app, { id: made.adminId, companyId: made.companyId, name: admin.name, email: admin.email }),
    inside: (work) =>
      db.inCompany({ actor, companyId: made.companyId, log: services.log, clock: services.clock }, work),
  };
}

/** Takes a feature out of the company's plan, or gives it back, as the operator does. */
export async function setPlanFlag({ app, id, inside }: TestCompany, flag: PlanFlag, isOn: boolean): Promise<void> {
  await sql`update plans set flags = flags || ${JSON.stringify({ [flag]: isOn })}::jsonb
    where id = (select plan_id from companies where id = ${id})`.execute(app.db.system);
  await inside(async (ctx) => ctx.emit({ type: "plan.updated", payload: {} }));
  await app.settle();
}

export interface UserOptions {
  readonly name?: string;
  readonly email?: string;
  readonly profile?: Profile;
  /** Sees tickets without a queue. */
  readonly allTicket?: boolean;
  readonly queues?: readonly { readonly id: number }[];
}

/** A user of the company, signed in; default: an agent without queues. */
export async function aUser(company: TestCompany, options: UserOptions = {}): Promise<TestUser> {
  const { profile = "user", allTicket = false, queues: own = [], name, email } = options;
  const body = userBody.parse({
    name: name ?? `Agent ${next()}`,
    email: email ?? `agent${next()}@example.com`,
    password: testPassword,
    profile,
    allTicket: allTicket ? "enabled" : "desabled",
    queueIds: own.map(({ id }) => id),
  });
  const user: User = await company.inside((ctx) => createUser(ctx, body));
  return signedIn(company.app, { id: user.id, companyId: company.id, name: user.name, email: user.email });
}

export async function aQueue(
  company: TestCompany,
  options: Partial<BodyIn<typeof queues.create>> = {},
): Promise<Queue> {
  const n = next();
  const color = `#${n.toString(16).padStart(6, "0")}`;
  const body = queueBody.parse({ name: `Queue ${n}`, color, schedules: defaultSchedules, ...options });
  return company.inside((ctx) => createQueue(ctx, body));
}

export interface ConnectionOptions extends Partial<BodyIn<typeof connections.create>> {
  /** Number of the line; marks the connection as connected, although no line runs. */
  readonly number?: string;
}

/** A simulator connection; the company's first one is its default. */
export async function aConnection(
  company: TestCompany,
  { number, ...options }: ConnectionOptions = {},
): Promise<Connection> {
  const body = connectionBody.parse({ name: `Line ${next()}`, provider: "simulator", ...options });
  return company.inside(async (ctx) => {
    const connection = await createConnection(ctx, body);
    if (number !== undefined) {
      await changeState(ctx, connection.id, { status: "CONNECTED", number, lid: null });
    }
    return connection;
  });
}

export async function aContact(
  company: TestCompany,
  options: Partial<BodyIn<typeof contacts.create>> = {},
): Promise<Contact> {
  const n = next();
  const number = `55119${String(80_000_000 + n)}`;
  const body = contactBody.parse({ name: `Contact ${n}`, number, ...options });
  return company.inside((ctx) => createContact(ctx, company.app.services.media, body));
}

async function signedIn(
  app: TestApp,
  user: { readonly id: number; readonly companyId: number; readonly name: string; readonly email: string },
): Promise<TestUser> {
  const account = { id: user.id, company_id: user.companyId };
  const { sessionId } = await openSession(app.services, account, { address: "127.0.0.1", userAgent: "test" });
  return { userId: user.id, companyId: user.companyId, sessionId, name: user.name, email: user.email };
}
