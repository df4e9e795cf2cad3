import { randomUUID } from "node:crypto";
import type { Profile, Ticket } from "@prosa/contract";
import { sql } from "kysely";
import { onTestFinished } from "vitest";
import type { Ctx, UserActor } from "#server/platform/ctx.ts";
import type { Feature } from "#server/platform/feature.ts";
import { createTestApp } from "./app.ts";
import type { TestApp, TestAppOptions, TestCaller } from "./app.ts";
import { allowEverything, exampleLocale } from "./example.ts";
import type { SocketOptions, TestSocket } from "./socket.ts";

/** A user of a company, with an API caller. */
export interface Person extends TestCaller {
  readonly id: number;
  readonly companyId: number;
  readonly name: string;
  /** Ids of a ticket list, top first. */
  list(query?: string): Promise<number[]>;
  /** Opens a socket to this process, or to another one. */
  connect(through?: TestApp, options?: SocketOptions): Promise<TestSocket>;
  /** The same session at another process. */
  through(other: TestApp): TestCaller;
}

export interface TicketOptions {
  readonly status?: Ticket["status"];
  readonly queueId?: number | null;
  readonly user?: Person;
  readonly lastMessageAt?: Date;
  readonly name?: string;
  readonly number?: string;
  readonly unread?: number;
}

/** A company with users, queues and tickets, inserted row by row without the services. */
export interface Desk {
  readonly app: TestApp;
  readonly companyId: number;
  readonly connectionId: number;
  person(
    profile: Profile,
    rights?: { readonly queueIds?: readonly number[]; readonly allTicket?: boolean },
  ): Promise<Person>;
  queue(): Promise<number>;
  /** Automation that a ticket can be assigned to. */
  promptAndIntegration(): Promise<{ readonly promptId: number; readonly integrationId: number }>;
  contact(options?: { readonly name?: string; readonly number?: string }): Promise<number>;
  connection(): Promise<number>;
  ticket(options?: TicketOptions): Promise<{ readonly id: number; readonly contactId: number }>;
  /** A desk of another company in the same app. */
  otherCompany(): Promise<Desk>;
  within<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  rows<Row>(text: string): Promise<Row[]>;
}

type Sessions = Map<string, UserActor>;

/** A desk on an app of its own. Close `desk.app`. */
export async function openDesk(features: readonly Feature[], options: TestAppOptions = {}): Promise<Desk> {
  const sessions: Sessions = new Map();
  const app = await createTestApp({ ...options, features: [sessionsFeature(sessions), ...features] });
  return deskOf(app, sessions);
}

const sessionsOf = new WeakMap<Desk, Sessions>();

/** For a further process on a desk's database: it knows the same sessions. */
export function sharedSessions(desk: Desk): Feature {
  return sessionsFeature(sessionsOf.get(desk) ?? new Map());
}

function sessionsFeature(sessions: Sessions): Feature {
  return {
    name: "known-sessions",
    loadSession: () => async (claims) => {
      const actor = sessions.get(claims.sessionId);
      return actor && { actor, isActive: true, paid: null, plan: allowEverything, locale: exampleLocale };
    },
  };
}

/** Like openDesk; the app is closed when the test ends. */
export async function aDesk(features: readonly Feature[], options: TestAppOptions = {}): Promise<Desk> {
  const desk = await openDesk(features, options);
  onTestFinished(() => desk.app.close());
  return desk;
}

let counter = 0;
const next = () => (counter += 1);

async function deskOf(app: TestApp, sessions: Sessions): Promise<Desk> {
  const companyId = await newCompany(app);
  const within = <T>(work: (ctx: Ctx) => Promise<T>) => app.database.inCompany(companyId, work);
  const insert = async (text: string) => {
    const [row] = await within(async ({ db }) => (await sql.raw<{ id: number }>(text).execute(db)).rows);
    return row!.id;
  };
  const newConnection = () =>
    insert(
      `insert into connections (company_id, name, status) values (${companyId}, 'line ${next()}', 'CONNECTED') returning id`,
    );
  const connectionId = await newConnection();
  await insert(`update connections set is_default = true where id = ${connectionId} returning id`);

  const desk: Desk = {
    app,
    companyId,
    connectionId,
    connection: newConnection,
    within,
    rows: (text) =>
      within(async ({ db }) => {
        // Statements that insert whole companies are slow on a busy machine. Without limits: the timer of a transaction that runs
        // already keeps its time, unless it is switched off.
        await sql`select set_config(name, '0', true) from pg_settings where name in ('statement_timeout', 'transaction_timeout')`.execute(
          db,
        );
        return (await sql.raw(text).execute(db)).rows as never;
      }),
    async person(profile, { queueIds = [], allTicket = false } = {}) {
      const name = `${profile} ${next()}`;
      const id = await insert(`insert into users (company_id, name, email, password_hash, profile, all_ticket)
        values (${companyId}, '${name}', '${randomUUID()}@example.test', '', '${profile}', ${allTicket}) returning id`);
      const claims = { userId: id, companyId, sessionId: randomUUID() };
      sessions.set(claims.sessionId, { kind: "user", ...claims, name, profile, isSuper: false, allTicket, queueIds });
      const caller = app.as(claims);
      return {
        ...caller,
        id,
        companyId,
        name,
        async list(query = "") {
          const { body } = await caller.get<{ tickets: Ticket[] }>(`/tickets?${query}`);
          return body.tickets.map((ticket) => ticket.id);
        },
        connect: (through = app, options = {}) => through.connect(claims, options),
        through: (other) => other.as(claims),
      };
    },
    queue: () =>
      insert(`insert into queues (company_id, name, color, schedules)
        values (${companyId}, 'queue ${next()}', '#${next().toString(16).padStart(6, "0")}', '[]') returning id`),
    promptAndIntegration: async () => ({
      promptId:
        await insert(`insert into prompts (company_id, name, prompt, voice, voice_region, max_tokens, temperature,
          max_messages, base_url, model) values (${companyId}, 'prompt ${next()}', '', 'text', '', 100, 1, 10, '', '')
          returning id`),
      integrationId:
        await insert(`insert into queue_integrations (company_id, type, name, project_name, language, url_n8n,
          typebot_slug, typebot_delay_message, typebot_expires, typebot_keyword_finish, typebot_keyword_restart,
          typebot_restart_message, typebot_unknown_message)
        values (${companyId}, 'n8n', 'flow ${next()}', '', 'es', '', '', 0, 0, '', '', '', '') returning id`),
    }),
    contact: ({ name = `contact ${next()}`, number = String(5_511_900_000_000 + next()) } = {}) =>
      insert(`with c as (insert into contacts (company_id, name, number) values (${companyId}, '${name}', '${number}') returning id),
        i as (insert into contact_identifiers (company_id, connection_id, kind, value, contact_id)
          select ${companyId}, ${connectionId}, 'phone', '${number}', id from c)
        select id from c`),
    async ticket({ status = "pending", queueId = null, user, lastMessageAt = new Date(), unread = 0, ...person } = {}) {
      const contactId = await desk.contact(person);
      const id = await insert(`insert into tickets (company_id, connection_id, contact_id, status, user_id, queue_id,
          last_message_at, unread_messages)
        values (${companyId}, ${connectionId}, ${contactId}, '${status}', ${user?.id ?? "null"}, ${queueId ?? "null"},
          date_trunc('second', '${lastMessageAt.toISOString()}'::timestamptz), ${unread}) returning id`);
      if (status !== "closed") {
        await insert(`with e as (insert into episodes (company_id, ticket_id, protocol, queued_at, started_at)
            values (${companyId}, ${id}, 'p${id}', now(), ${status === "open" ? "now()" : "null"}) returning id)
          update tickets t set episode_id = e.id from e where t.id = ${id} returning t.id`);
      }
      return { id, contactId };
    },
    otherCompany: () => deskOf(app, sessions),
  };
  sessionsOf.set(desk, sessions);
  return desk;
}

async function newCompany({ db }: TestApp): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into companies (name) values (${`company ${randomUUID()}`}) returning id`.execute(db.system);
  return rows[0]!.id;
}
