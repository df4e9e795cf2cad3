import { randomUUID } from "node:crypto";
import {
  announcementBody,
  contacts,
  planBody,
  productBody,
  promptBody,
  queueIntegrationBody,
  tagBody,
} from "@prosa/contract";
import { sql } from "kysely";
import { announce } from "#server/features/announcements/index.ts";
import { createHelp } from "#server/features/helps/index.ts";
import { offerPlan } from "#server/features/plans/index.ts";
import { createProduct } from "#server/features/products/index.ts";
import { createPrompt } from "#server/features/prompts/index.ts";
import { createIntegration } from "#server/features/queue-integrations/index.ts";
import { createTag } from "#server/features/tags/index.ts";
import { aCompany, aQueue, aUser } from "../factories.ts";
import type { TestCompany, TestUser } from "../factories.ts";

/** Somebody who calls, with the queue and the line that everybody of their company serves. */
export interface Insider {
  readonly company: TestCompany;
  readonly user: TestUser;
  readonly homeQueueId: number;
  readonly homeLineId: number;
  /** Stands in all that the company has: nobody else may ever be shown it. */
  readonly mark: string;
}

/** A row's fields by column. */
export type Row = Readonly<Record<string, string | number | null>>;
export type RowKind = keyof typeof make;

/** Kinds of which there is no row that could be somebody's. */
export const nobodys: ReadonlySet<string> = new Set([
  "name",
  "fileList",
  "plan",
  "help",
  "announcement",
  "client",
  "deadJob",
]);

/** Those of them that there are, for all companies alike. */
export const shared: ReadonlySet<string> = new Set(["plan", "help", "announcement", "client", "deadJob"]);

let serial = 0;
const next = () => (serial += 1);

/** Nobody owns one yet: whoever names one is refused. */
const notYet = async (): Promise<Row> => ({ id: null });

/** Makes a row of a kind that belongs to this person, or to their company. */
export const make = {
  name: async (): Promise<Row> => {
    const n = next();
    return {
      text: `New ${n}`,
      email: `new${n}@example.com`,
      color: `#${(0x10_00_00 + n).toString(16)}`,
      number: `55119${40_000_000 + n}`,
    };
  },
  company: async ({ company }: Insider): Promise<Row> => ({ id: company.id }),
  self: async ({ user }: Insider): Promise<Row> => ({ id: user.userId }),
  colleague: (insider: Insider) =>
    insert(insider, "users", {
      name: nameOf(insider),
      email: `colleague${next()}@example.com`,
      password_hash: "",
      profile: "admin",
    }),
  /** An operator who is a colleague: only operators touch them. */
  chief: async ({ company }: Insider): Promise<Row> => {
    const { userId } = await aUser(company, { profile: "admin" });
    await sql`update users set is_super = true where id = ${userId}`.execute(company.app.db.system);
    return { id: userId };
  },
  account: async ({ company }: Insider): Promise<Row> => {
    const { userId, email } = await aUser(company);
    return { id: userId, email };
  },
  plan: async ({ company }: Insider): Promise<Row> => {
    const { id } = await offerPlan(company.app.db, planBody.parse({ name: `Plan of nobody ${next()}` }));
    return { id };
  },
  help: async ({ company }: Insider): Promise<Row> => {
    const { id } = await createHelp(company.app.db, { title: "Ajuda", description: "", video: "dQw4w9WgXcQ" });
    return { id };
  },
  announcement: async ({ company }: Insider): Promise<Row> => {
    const { id } = await announce(company.app.db, announcementBody.parse({ title: "Aviso", text: "Nada de novo." }));
    return { id };
  },
  /** A company of none of those who call. */
  client: async ({ company }: Insider): Promise<Row> => {
    const { id } = await aCompany(company.app, { name: `Client ${next()}` });
    return { id };
  },
  deadJob: async ({ company }: Insider): Promise<Row> => {
    const { rows } = await sql<Row>`insert into jobs (task, payload, run_at, state, attempts, max_attempts, died_at)
      values ('nothing', '{}', now(), 'dead', 5, 5, now()) returning id`.execute(company.app.db.system);
    return rows[0]!;
  },
  homeQueue: async ({ homeQueueId }: Insider): Promise<Row> => ({ id: homeQueueId }),
  queue: async (insider: Insider): Promise<Row> => {
    const { id } = await aQueue(insider.company, { name: nameOf(insider) });
    return { id };
  },
  option: async (insider: Insider): Promise<Row> => {
    const queue = await make.queue(insider);
    const field = { queue_id: queue["id"]!, title: nameOf(insider), option: "1" };
    const parent = await insert(insider, "queue_options", field);
    return insert(insider, "queue_options", { ...field, parent_id: parent["id"]! });
  },
  line: (insider: Insider) =>
    insert(insider, "connections", { name: nameOf(insider), provider: "simulator", wanted: "down" }),
  contact,
  otherContact: contact,
  import: (insider: Insider) =>
    insert(insider, "contact_imports", { user_id: insider.user.userId, source: "file", state: "running" }),
  merge: async (insider: Insider): Promise<Row> => {
    const { app, admin } = insider.company;
    const [kept, gone] = [await contact(insider), await contact(insider)];
    const params = { id: Number(kept["id"]) };
    const { body } = await app.as(admin).call(contacts.merge, { params, body: { contactId: Number(gone["id"]) } });
    return { id: body.id };
  },
  ticket,
  bulk: async (insider: Insider): Promise<Row> => {
    const { id } = await ticket(insider);
    const act = { ticketIds: [id], act: { verb: "resolve" } };
    const { body } = await insider.company.app.as(insider.user).post<{ bulkId: string }>("/tickets/bulk", act);
    return { id: body.bulkId };
  },
  soldTicket: async (insider: Insider): Promise<Row> => {
    const [own, product] = [await ticket(insider), await make.product(insider)];
    await insert(insider, "ticket_products", { ticket_id: own["id"]!, product_id: product["id"]! });
    return { ...own, product_id: product["id"]! };
  },
  message: (insider: Insider) => message(insider, { from_me: true, ack: 1 }),
  failedMessage: (insider: Insider) => message(insider, { from_me: true, ack: -1 }),
  lostFile: async (insider: Insider): Promise<Row> => {
    const { id } = await message(insider, { from_me: false, media_type: "image" });
    await insert(insider, "media", { message_id: id!, state: "failed" });
    return { id: id! };
  },
  note: async (insider: Insider): Promise<Row> => {
    const { id, contact_id: contactId } = await ticket(insider);
    const about = { ticket_id: id!, contact_id: contactId!, user_id: insider.user.userId };
    return insert(insider, "ticket_notes", { ...about, note: nameOf(insider) });
  },
  chat,
  chatMessage: async (insider: Insider): Promise<Row> => {
    const { id } = await chat(insider);
    const words = { sender_id: insider.user.userId, sender_name: insider.mark, message: insider.mark };
    return insert(insider, "chat_messages", { ...words, chat_id: id!, created_at: new Date().toISOString() });
  },
  product: async (insider: Insider): Promise<Row> => {
    const body = productBody.parse({ name: nameOf(insider) });
    const { id } = await insider.company.inside((ctx) => createProduct(ctx, body));
    return { id };
  },
  tag: async (insider: Insider): Promise<Row> => {
    const { id } = await insider.company.inside((ctx) => createTag(ctx, tagBody.parse({ name: nameOf(insider) })));
    return { id };
  },
  quickMessage: (insider: Insider) =>
    insert(insider, "quick_messages", {
      user_id: insider.user.userId,
      shortcode: nameOf(insider),
      message: insider.mark,
    }),
  schedule: async (insider: Insider): Promise<Row> => {
    const { id } = await contact(insider);
    const words = { body: insider.mark, send_at: "2099-01-01T12:00:00Z", client_id: randomUUID() };
    return insert(insider, "schedules", { ...words, contact_id: id!, user_id: insider.user.userId });
  },
  prompt: async (insider: Insider): Promise<Row> => {
    const { app } = insider.company;
    const body = promptBody.parse({ name: nameOf(insider), prompt: insider.mark, queueId: insider.homeQueueId });
    const { id } = await insider.company.inside((ctx) => createPrompt(ctx, app.services.vault, body));
    return { id };
  },
  integration: async (insider: Insider): Promise<Row> => {
    const { app } = insider.company;
    const body = queueIntegrationBody.parse({ type: "dialogflow", name: nameOf(insider) });
    const { id } = await insider.company.inside((ctx) => createIntegration(ctx, app.services.vault, body));
    return { id };
  },
  fileList: notYet,
};

async function contact(insider: Insider): Promise<Row> {
  const number = `55119${70_000_000 + next()}`;
  return insert(insider, "contacts", { name: nameOf(insider), number });
}

/** The caller owns it. */
async function chat(insider: Insider): Promise<Row> {
  const fields = { title: nameOf(insider), owner_id: insider.user.userId, updated_at: new Date().toISOString() };
  const own = await insert(insider, "chats", fields);
  await insert(insider, "chat_users", { chat_id: own["id"]!, user_id: insider.user.userId });
  return own;
}

/** Open, and the caller's own: whoever may call at all may do all with it. */
async function ticket(insider: Insider): Promise<Row> {
  const { id: contactId } = await contact(insider);
  const { id } = await insert(insider, "tickets", {
    connection_id: insider.homeLineId,
    contact_id: contactId!,
    status: "open",
    user_id: insider.user.userId,
    queue_id: insider.homeQueueId,
    last_message: insider.mark,
  });
  const now = new Date().toISOString();
  const episode = await insert(insider, "episodes", { ticket_id: id!, queued_at: now, started_at: now });
  const { rows } = await insider.company.inside((ctx) =>
    sql<Row>`update tickets set episode_id = ${episode["id"]} where id = ${id} returning *`.execute(ctx.db),
  );
  return rows[0]!;
}

async function message(insider: Insider, fields: Fields): Promise<Row> {
  const own = await ticket(insider);
  return insert(insider, "messages", {
    ticket_id: own["id"]!,
    contact_id: own["contact_id"]!,
    connection_id: insider.homeLineId,
    user_id: insider.user.userId,
    wa_id: randomUUID(),
    body: insider.mark,
    sent_at: new Date().toISOString(),
    ...fields,
  });
}

type Fields = Readonly<Record<string, string | number | boolean | null>>;

async function insert({ company }: Insider, table: string, fields: Fields): Promise<Row> {
  const given = { company_id: company.id, ...fields };
  const columns = sql.join(Object.keys(given).map((name) => sql.ref(name)));
  const { rows } = await company.inside((ctx) =>
    sql<Row>`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(given))}) returning *`.execute(
      ctx.db,
    ),
  );
  return rows[0]!;
}

function nameOf({ mark }: Insider): string {
  return `${mark} ${next()}`;
}
