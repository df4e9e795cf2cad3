import { randomUUID } from "node:crypto";
import {
  announcementBody,
  contacts,
  matchNumber,
  planBody,
  productBody,
  promptBody,
  queueIntegrationBody,
  tagBody,
} from "@prosa/contract";
import { sql } from "kysely";
import { announce } from "#server/features/announcements/index.ts";
import { createHelp } from "#server/features/helps/index.ts";
import { markPaid } from "#server/features/invoices/index.ts";
import { addPlan } from "#server/features/plans/index.ts";
import { createProduct } from "#server/features/products/index.ts";
import { createPrompt } from "#server/features/prompts/index.ts";
import { createIntegration } from "#server/features/queue-integrations/index.ts";
import { createTag } from "#server/features/tags/index.ts";
import { aCompany, aQueue, aUser } from "../factories.ts";
import type { TestCompany, TestUser } from "../factories.ts";

/** A user who makes calls, with the queue and the line that all users of the company share. */
export interface Member {
  readonly company: TestCompany;
  readonly user: TestUser;
  readonly homeQueueId: number;
  readonly homeLineId: number;
  /** Text in all rows of the company; other companies must never receive it. */
  readonly marker: string;
}

/** A row's fields by column. */
export type Row = Readonly<Record<string, string | number | null>>;
export type RowKind = keyof typeof makeRow;

/** Kinds whose rows belong to no company. */
export const unownedKinds: ReadonlySet<string> = new Set([
  "name",
  "plan",
  "help",
  "announcement",
  "client",
  "clientInvoice",
  "markedInvoice",
  "deadJob",
]);

/** Kinds whose rows exist once for all companies. */
export const sharedKinds: ReadonlySet<string> = new Set([
  "plan",
  "help",
  "announcement",
  "client",
  "clientInvoice",
  "markedInvoice",
  "deadJob",
]);

let serial = 0;
const next = () => (serial += 1);

/** Creates a row of a kind that belongs to this member or to their company. */
export const makeRow = {
  name: async (): Promise<Row> => {
    const n = next();
    return {
      text: `New ${n}`,
      email: `new${n}@example.com`,
      color: `#${(0x10_00_00 + n).toString(16)}`,
      number: `55119${40_000_000 + n}`,
    };
  },
  company: async ({ company }: Member): Promise<Row> => ({ id: company.id }),
  self: async ({ user }: Member): Promise<Row> => ({ id: user.userId }),
  colleague: (member: Member) =>
    insert(member, "users", {
      name: nameOf(member),
      email: `colleague${next()}@example.com`,
      password_hash: "",
      profile: "admin",
    }),
  /** A user who has not accepted their invitation. */
  invited: async (member: Member): Promise<Row> => {
    const user = await makeRow.colleague(member);
    const link = { token_hash: randomUUID(), created_at: new Date().toISOString(), expires_at: "2099-01-01T12:00:00Z" };
    await insert(member, "invitations", { ...link, user_id: user["id"]! });
    return user;
  },
  passkey: async ({ company, user }: Member): Promise<Row> => {
    const { rows } = await sql<{ id: number }>`
      insert into passkeys (company_id, user_id, credential_id, public_key, counter, name, created_at)
      values (${company.id}, ${user.userId}, ${randomUUID()}, '\\x00', 0, 'Celular', now()) returning id`.execute(
      company.app.db.system,
    );
    return { id: rows[0]!.id };
  },
  /** An operator of the same company: only operators may change them. */
  chief: async ({ company }: Member): Promise<Row> => {
    const { userId } = await aUser(company, { profile: "admin" });
    await sql`update users set is_super = true where id = ${userId}`.execute(company.app.db.system);
    return { id: userId };
  },
  account: async ({ company }: Member): Promise<Row> => {
    const { userId, email } = await aUser(company);
    return { id: userId, email };
  },
  plan: async ({ company }: Member): Promise<Row> => {
    const plan = planBody.parse({ name: `Plan of nobody ${next()}` });
    const { id } = await company.app.db.systemTx((tx) => addPlan(tx, plan));
    return { id };
  },
  help: async ({ company }: Member): Promise<Row> => {
    const help = { title: "Ajuda", description: "", video: "dQw4w9WgXcQ" };
    const { id } = await company.app.db.systemTx((tx) => createHelp(tx, help));
    return { id };
  },
  announcement: async ({ company }: Member): Promise<Row> => {
    const announcement = announcementBody.parse({ title: "Aviso", text: "Nada de novo." });
    const { id } = await company.app.db.systemTx((tx) => announce(tx, announcement));
    return { id };
  },
  /** A company that no caller belongs to. */
  client: async ({ company }: Member): Promise<Row> => {
    const { id } = await aCompany(company.app, { name: `Client ${next()}` });
    return { id };
  },
  /** An open invoice of the member's company. */
  invoice: async ({ company }: Member): Promise<Row> => ({ id: await insertInvoice(company) }),
  /** The due one of a company of its own, for the operator. */
  clientInvoice: async ({ company }: Member): Promise<Row> => ({
    id: await insertInvoice(await aCompany(company.app, { name: `Client ${next()}`, dueDate: "2031-01-01" }), 0),
  }),
  /** The same, marked as paid. */
  markedInvoice: async (member: Member): Promise<Row> => {
    const { id } = await makeRow.clientInvoice(member);
    const operator = { userId: member.user.userId, now: new Date() };
    await markPaid(member.company.app.db, operator, Number(id), "Transferência");
    const { rows } = await sql<Row>`select invoice_id as id, id as "markId" from invoice_payments
      where invoice_id = ${id}`.execute(member.company.app.db.system);
    return rows[0]!;
  },
  deadJob: async ({ company }: Member): Promise<Row> => {
    const { rows } = await sql<Row>`insert into jobs (task, payload, run_at, state, attempts, max_attempts, died_at)
      values ('nothing', '{}', now(), 'dead', 5, 5, now()) returning id`.execute(company.app.db.system);
    return rows[0]!;
  },
  homeQueue: async ({ homeQueueId }: Member): Promise<Row> => ({ id: homeQueueId }),
  queue: async (member: Member): Promise<Row> => {
    const { id } = await aQueue(member.company, { name: nameOf(member) });
    return { id };
  },
  option: async (member: Member): Promise<Row> => {
    const queue = await makeRow.queue(member);
    const field = { queue_id: queue["id"]!, title: nameOf(member), option: "1" };
    const parent = await insert(member, "queue_options", field);
    return insert(member, "queue_options", { ...field, parent_id: parent["id"]! });
  },
  line: (member: Member) =>
    insert(member, "connections", { name: nameOf(member), provider: "simulator", wanted: "down" }),
  contact,
  otherContact: contact,
  import: (member: Member) =>
    insert(member, "contact_imports", { user_id: member.user.userId, source: "file", state: "running" }),
  merge: async (member: Member): Promise<Row> => {
    const { app, admin } = member.company;
    const [kept, gone] = [await contact(member), await contact(member)];
    const params = { id: Number(kept["id"]) };
    const { body } = await app.as(admin).call(contacts.merge, { params, body: { contactId: Number(gone["id"]) } });
    return { id: body.id };
  },
  ticket,
  bulk: async (member: Member): Promise<Row> => {
    const { id } = await ticket(member);
    const act = { ticketIds: [id], act: { verb: "resolve" } };
    const { body } = await member.company.app.as(member.user).post<{ bulkId: string }>("/tickets/bulk", act);
    return { id: body.bulkId };
  },
  soldTicket: async (member: Member): Promise<Row> => {
    const [own, product] = [await ticket(member), await makeRow.product(member)];
    await insert(member, "ticket_products", { ticket_id: own["id"]!, product_id: product["id"]! });
    return { ...own, product_id: product["id"]! };
  },
  message: (member: Member) => message(member, { from_me: true, ack: 1 }),
  failedMessage: (member: Member) => message(member, { from_me: true, ack: -1 }),
  lostFile: async (member: Member): Promise<Row> => {
    const { id } = await message(member, { from_me: false, media_type: "image" });
    await insert(member, "media", { message_id: id!, state: "failed", source: "\\x00" });
    return { id: id! };
  },
  note: async (member: Member): Promise<Row> => {
    const { id, contact_id: contactId } = await ticket(member);
    const about = { ticket_id: id!, contact_id: contactId!, user_id: member.user.userId };
    return insert(member, "ticket_notes", { ...about, note: nameOf(member) });
  },
  chat,
  chatMessage: async (member: Member): Promise<Row> => {
    const { id } = await chat(member);
    const words = { sender_id: member.user.userId, sender_name: member.marker, message: member.marker };
    return insert(member, "chat_messages", { ...words, chat_id: id!, created_at: new Date().toISOString() });
  },
  product: async (member: Member): Promise<Row> => {
    const body = productBody.parse({ name: nameOf(member) });
    const { id } = await member.company.inside((ctx) => createProduct(ctx, body));
    return { id };
  },
  tag: async (member: Member): Promise<Row> => {
    const { id } = await member.company.inside((ctx) => createTag(ctx, tagBody.parse({ name: nameOf(member) })));
    return { id };
  },
  lane: async (member: Member): Promise<Row> => {
    const body = tagBody.parse({ name: nameOf(member), kanban: 1 });
    const { id } = await member.company.inside((ctx) => createTag(ctx, body));
    return { id };
  },
  quickMessage: (member: Member) =>
    insert(member, "quick_messages", {
      user_id: member.user.userId,
      shortcode: nameOf(member),
      message: member.marker,
    }),
  contactExport: async (member: Member): Promise<Row> => {
    const { id } = await contact(member);
    const key = `company/${member.company.id}/exports/${randomUUID()}.zip`;
    await member.company.app.services.storage.put(key, Buffer.from("zip"), { contentType: "application/zip" });
    const times = { requested_at: "2026-01-01T00:00:00Z", expires_at: "2099-01-01T00:00:00Z" };
    return insert(member, "contact_exports", { contact_id: id!, state: "finished", storage_key: key, ...times });
  },
  companyExport: async (member: Member): Promise<Row> => {
    const key = `company/${member.company.id}/company-exports/${randomUUID()}.tar.zst`;
    await member.company.app.services.storage.put(key, Buffer.from("tar"), { contentType: "application/zstd" });
    const times = { requested_at: "2026-01-01T00:00:00Z", expires_at: "2099-01-01T00:00:00Z" };
    return insert(member, "company_exports", { state: "finished", storage_key: key, ...times });
  },
  schedule: async (member: Member): Promise<Row> => {
    const { id } = await contact(member);
    const words = { body: member.marker, send_at: "2099-01-01T12:00:00Z", client_id: randomUUID() };
    return insert(member, "schedules", { ...words, contact_id: id!, user_id: member.user.userId });
  },
  prompt: async (member: Member): Promise<Row> => {
    const { app } = member.company;
    const body = promptBody.parse({ name: nameOf(member), prompt: member.marker, queueId: member.homeQueueId });
    const { id } = await member.company.inside((ctx) =>
      createPrompt(ctx, { vault: app.services.vault, mayBePrivate: false }, body),
    );
    return { id };
  },
  knowledge: (member: Member) => insertKnowledge(member, { kind: "text", state: "ready", body: member.marker }),
  /** A source that waits for its file. */
  knowledgeFile: (member: Member) => insertKnowledge(member, { kind: "file", state: "empty" }),
  integration: async (member: Member): Promise<Row> => {
    const { app } = member.company;
    const body = queueIntegrationBody.parse({ type: "dialogflow", name: nameOf(member) });
    const { id } = await member.company.inside((ctx) =>
      createIntegration(ctx, { vault: app.services.vault, mayBePrivate: false }, body),
    );
    return { id };
  },
  /** The operator's open request; a company has one at most. */
  supportRequest: async ({ company }: Member): Promise<Row> => {
    const { system } = company.app.db;
    await sql`update support_grants set ended_at = now() where company_id = ${company.id}`.execute(system);
    const { rows } = await sql<{ id: number }>`
      insert into support_grants (company_id, asked_by_name, asked_at) values (${company.id}, 'Operador', now())
      returning id`.execute(system);
    return { id: rows[0]!.id };
  },
  signedIntegration: async (member: Member): Promise<Row> => {
    const { app } = member.company;
    const tools = { vault: app.services.vault, mayBePrivate: false };
    const given = { type: "n8n", name: nameOf(member), urlN8N: "https://n8n.example.com/w" };
    const { id } = await member.company.inside((ctx) =>
      createIntegration(ctx, tools, queueIntegrationBody.parse(given)),
    );
    return { id };
  },
  integrationCall: async (member: Member): Promise<Row> => {
    const { id } = await makeRow.signedIntegration(member);
    return insert(member, "integration_calls", {
      integration_id: Number(id),
      delivery_id: randomUUID(),
      ticket_id: 1,
      request: "{}",
      state: "delivered",
      created_at: new Date().toISOString(),
    });
  },
  apiKey: (member: Member) =>
    insert(member, "api_keys", {
      id: randomUUID(),
      user_id: member.user.userId,
      name: nameOf(member),
      beginning: "prosa_abcdef",
      key_hash: randomUUID(),
      profile: "user",
      scopes: "{contacts:read}",
      created_at: new Date().toISOString(),
    }),
  webhook: (member: Member) =>
    insert(member, "webhooks", {
      url: `https://hooks.example.com/${nameOf(member)}`,
      description: member.marker,
      events: "{message.created}",
      is_active: false,
      created_at: new Date().toISOString(),
    }),
  deliveredWebhook: async (member: Member): Promise<Row> => {
    const { id } = await makeRow.webhook(member);
    return insert(member, "webhook_deliveries", {
      endpoint_id: Number(id),
      webhook_id: randomUUID(),
      type: "message.created",
      subject: "ticket:1",
      body: "{}",
      state: "delivered",
      created_at: new Date().toISOString(),
    });
  },
  contactList: (member: Member) => insert(member, "contact_lists", { name: nameOf(member) }),
  contactListItem: async (member: Member): Promise<Row> => {
    const { id } = await makeRow.contactList(member);
    const number = `55119${60_000_000 + next()}`;
    const match = { number, match_number: matchNumber(number) };
    return insert(member, "contact_list_items", { ...match, contact_list_id: id!, name: nameOf(member) });
  },
  /** Inactive, with a line: it may be changed, tested and deleted. */
  campaign,
  runningCampaign: (member: Member) => campaign(member, { status: "EM_ANDAMENTO" }),
  cancelledCampaign: (member: Member) => campaign(member, { status: "CANCELADA" }),
  fileList: async (member: Member): Promise<Row> => {
    const list = await insert(member, "file_lists", { name: nameOf(member), message: member.marker });
    const option = await insert(member, "file_list_options", { file_list_id: list["id"]!, name: member.marker });
    return { ...list, option_id: option["id"]! };
  },
};

async function campaign(member: Member, fields: Fields = {}): Promise<Row> {
  const texts = { name: nameOf(member), messages: `{${member.marker}}` };
  const own = await insert(member, "campaigns", { ...texts, started_at: new Date().toISOString(), ...fields });
  await insert(member, "campaign_lines", { campaign_id: own["id"]!, connection_id: member.homeLineId });
  return own;
}

async function contact(member: Member): Promise<Row> {
  const number = `55119${70_000_000 + next()}`;
  return insert(member, "contacts", { name: nameOf(member), number });
}

/** A chat owned by the caller. */
async function chat(member: Member): Promise<Row> {
  const fields = { title: nameOf(member), owner_id: member.user.userId, updated_at: new Date().toISOString() };
  const own = await insert(member, "chats", fields);
  await insert(member, "chat_users", { chat_id: own["id"]!, user_id: member.user.userId });
  return own;
}

/** Open, and the caller's own: whoever may call at all may do all with it. */
async function ticket(member: Member): Promise<Row> {
  const { id: contactId } = await contact(member);
  const { id } = await insert(member, "tickets", {
    connection_id: member.homeLineId,
    contact_id: contactId!,
    status: "open",
    user_id: member.user.userId,
    queue_id: member.homeQueueId,
    last_message: member.marker,
  });
  const now = new Date().toISOString();
  const episode = await insert(member, "episodes", { ticket_id: id!, queued_at: now, started_at: now });
  const { rows } = await member.company.inside((ctx) =>
    sql<Row>`update tickets set episode_id = ${episode["id"]} where id = ${id} returning *`.execute(ctx.db),
  );
  return rows[0]!;
}

async function message(member: Member, fields: Fields): Promise<Row> {
  const own = await ticket(member);
  return insert(member, "messages", {
    ticket_id: own["id"]!,
    contact_id: own["contact_id"]!,
    connection_id: member.homeLineId,
    user_id: member.user.userId,
    wa_id: randomUUID(),
    body: member.marker,
    sent_at: new Date().toISOString(),
    ...fields,
  });
}

type Fields = Readonly<Record<string, string | number | boolean | null>>;

async function insert({ company }: Member, table: string, fields: Fields): Promise<Row> {
  const given = { company_id: company.id, ...fields };
  const columns = sql.join(Object.keys(given).map((name) => sql.ref(name)));
  const { rows } = await company.inside((ctx) =>
    sql<Row>`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(given))}) returning *`.execute(
      ctx.db,
    ),
  );
  return rows[0]!;
}

/** Requests cannot write invoices, so it is the system role. */
async function insertInvoice({ app, id, name }: TestCompany, daysOn = next()): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into invoices (company_id, due_date, detail, value, months, issued_at)
    values (${id}, date '2031-01-01' + ${daysOn}::int, ${name}, 99.9, 1, now()) returning id`.execute(app.db.system);
  return rows[0]!.id;
}

function nameOf({ marker }: Member): string {
  return `${marker} ${next()}`;
}

async function insertKnowledge(member: Member, fields: Readonly<Record<string, string>>): Promise<Row> {
  const at = new Date().toISOString();
  return insert(member, "knowledge_sources", {
    ...fields,
    name: nameOf(member),
    is_for_all: true,
    created_at: at,
    updated_at: at,
  });
}
