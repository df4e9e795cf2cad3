import { queueOptions, settings } from "@prosa/contract";
import type { Message, Queue, QueueOptionBody, SettingKey, Ticket } from "@prosa/contract";
import type { Content, MessageView, Person, WaSim } from "@prosa/wa-sim";
import { sql } from "kysely";
import { createMovedClock } from "#server/platform/clock/index.ts";
import type { MovedClock } from "#server/platform/clock/index.ts";
import type { TestApp, TestCaller } from "./app.ts";
import { aCompany, aConnection, aQueue } from "./factories.ts";
import type { CompanyOptions, ConnectionOptions, TestCompany } from "./factories.ts";
import { aRealApp } from "./real-line.ts";
import { linkLine } from "./storm/link-line.ts";
import { waitUntil } from "./wait-until.ts";

/** Conversations with the bot over the real driver: shops with a line each, on one wa-sim and one clock moved by hand. */
export interface BotStories {
  readonly sim: WaSim;
  readonly app: TestApp;
  readonly clock: MovedClock;
  /** A company with a linked line and the queues of `aShop`. */
  shop(options?: ShopOptions): Promise<Shop>;
  /** Moves the clock a minute at a time, and runs what is due each minute. */
  minutesPass(count: number): Promise<void>;
  end(): Promise<void>;
}

export interface ShopOptions extends Omit<ConnectionOptions, "queueIds"> {
  readonly company?: CompanyOptions;
  readonly settings?: Partial<Record<SettingKey, string>>;
  /** Default: Vendas (1 Preços → 1 Mensal, 2 Anual; 2 Prazos) and Suporte, without options. */
  readonly queuesOf?: (company: TestCompany) => Promise<readonly Queue[]>;
}

export interface Shop {
  readonly company: TestCompany;
  readonly admin: TestCaller;
  /** The number of the line. */
  readonly number: string;
  readonly connectionId: number;
  readonly queues: readonly Queue[];
  /** A person who has not written yet. */
  customer(name?: string): Customer;
  /** Adds an option to the tree of a queue. */
  option(queue: Queue, body: Partial<QueueOptionBody> & { readonly title: string }): Promise<number>;
  /** The line is down while `work` runs, and back after it. */
  whileOffline(work: () => Promise<void>): Promise<void>;
  saveConnection(fields: object): Promise<void>;
  query<Row>(text: string): Promise<Row[]>;
}

/** A customer and the phone in their hand. */
export interface Customer {
  readonly person: Person;
  readonly name: string;
  /** Sends one after the other, without waiting for answers. */
  sends(...contents: readonly Content[]): Promise<void>;
  /** Like `sends`; then returns what the phone got since the last look. */
  says(...contents: readonly Content[]): Promise<string[]>;
  /** What the phone got since the last look: texts, and files as `[image] caption`. */
  receives(): Promise<string[]>;
  ticket(): Promise<Ticket>;
  messages(): Promise<Message[]>;
  /** An agent accepts, returns or resolves the conversation. */
  agent(status: Ticket["status"]): Promise<string[]>;
}

// A Wednesday, 10:00 in São Paulo.
const start = "2026-11-18T13:00:00Z";
let shops = 0;
let people = 0;

export async function openBotStories(): Promise<BotStories> {
  const clock = createMovedClock(start);
  const { sim, app, end } = await aRealApp(clock);
  return {
    sim,
    app,
    clock,
    shop: (options) => aShop({ sim, app }, options),
    async minutesPass(count) {
      for (let minute = 0; minute < count; minute += 1) {
        clock.advance({ minutes: 1 });
        await app.settle();
        await app.settle();
      }
    },
    end,
  };
}

type Stage = Pick<BotStories, "sim" | "app">;

async function aShop({ sim, app }: Stage, options: ShopOptions = {}): Promise<Shop> {
  const { company: about, settings: values = {}, queuesOf = salesAndSupport, ...fields } = options;
  const company = await aCompany(app, about);
  const admin = app.as(company.admin);
  for (const [key, value] of Object.entries(values)) {
    await admin.call(settings.save, { params: { key: key as SettingKey }, body: { value } });
  }
  const queues = await queuesOf(company);
  const queueIds = queues.map(({ id }) => id);
  const connection = await aConnection(company, {
    greetingMessage: "Bem-vindo",
    queueIds,
    provider: "beta",
    ...fields,
  });
  shops += 1;
  const number = `55119900${String(shops).padStart(5, "0")}`;
  const query = <Row>(text: string) =>
    company.inside(async (ctx) => (await sql<Row>`${sql.raw(text)}`.execute(ctx.db)).rows);
  await linkLine(
    sim,
    (asked) => company.inside(async (ctx) => (await asked.execute(ctx.db)).rows),
    connection.id,
    number,
  );
  const status = async () =>
    (await query<{ status: string }>(`select status from connections where id = ${connection.id}`))[0]?.status;

  return {
    company,
    admin,
    number,
    connectionId: connection.id,
    queues,
    query,
    customer: (name = "Ana") => aCustomer({ sim, app }, { admin, number, name }),
    option: (queue, body) => anOption(company, queue, body),
    async whileOffline(work) {
      sim.refuseConnections = true;
      sim.phone(number).kick("drop");
      await waitUntil(async () => (await status()) !== "CONNECTED");
      await work();
      sim.refuseConnections = false;
      await waitUntil(async () => (await status()) === "CONNECTED");
    },
    async saveConnection(changes) {
      await admin.put(`/whatsapp/${connection.id}`, changes);
    },
  };
}

async function salesAndSupport(company: TestCompany): Promise<Queue[]> {
  const sales = await aQueue(company, { name: "Vendas", greetingMessage: "Olá de Vendas" });
  const support = await aQueue(company, { name: "Suporte", greetingMessage: "Olá do Suporte" });
  const prices = await anOption(company, sales, { title: "Preços" });
  await anOption(company, sales, { title: "Mensal", parentId: prices });
  await anOption(company, sales, { title: "Anual", parentId: prices });
  await anOption(company, sales, { title: "Prazos" });
  return [sales, support];
}

async function anOption(
  company: TestCompany,
  { id: queueId }: Queue,
  about: Partial<QueueOptionBody> & { readonly title: string },
): Promise<number> {
  const admin = company.app.as(company.admin);
  const option = { queueId, message: `Sobre ${about.title}`, ...about };
  return (await admin.call(queueOptions.create, { body: option })).body.id;
}

function aCustomer(
  { sim, app }: Stage,
  { admin, number, name }: { readonly admin: TestCaller; readonly number: string; readonly name: string },
): Customer {
  people += 1;
  const person = sim.person(`55119${String(88_000_000 + people)}`, { name });
  let seen = 0;
  const ticket = async () => {
    const { body } = await admin.get<{ tickets: Ticket[] }>(`/tickets?searchParam=${person.number}&showAll=true`);
    return body.tickets[0]!;
  };
  const customer: Customer = {
    person,
    name,
    async sends(...contents) {
      await Promise.all(contents.map((content) => person.sends(number, content)));
    },
    async says(...contents) {
      await customer.sends(...contents);
      return customer.receives();
    },
    async receives() {
      await sim.settled(number);
      await app.settle();
      const all = person.inbox(number).map(wordsOf);
      const news = all.slice(seen);
      seen = all.length;
      return news;
    },
    ticket,
    async messages() {
      const { id } = await ticket();
      return (await admin.get<{ messages: Message[] }>(`/messages/${id}?peek=true`)).body.messages;
    },
    async agent(status) {
      const { id } = await ticket();
      await admin.put(`/tickets/${id}`, { status });
      return customer.receives();
    },
  };
  return customer;
}

function wordsOf({ content, text }: MessageView): string {
  return content.kind === "text" ? text : `[${content.kind}] ${text}`.trim();
}

/** One pixel. */
export const photo = {
  image: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkM9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
} satisfies Content;
export const voiceNote = { audio: Buffer.from("OggS"), ptt: true, seconds: 3 } satisfies Content;
export const sticker = { sticker: Buffer.from("RIFF0000WEBP") } satisfies Content;
