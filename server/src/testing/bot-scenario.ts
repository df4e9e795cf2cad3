import { randomUUID } from "node:crypto";
import { queueOptions, settings } from "@prosa/contract";
import type { Connection, Message, Queue, SettingKey, Ticket } from "@prosa/contract";
import { features as allFeatures } from "#server/app/features.ts";
import type { AssistantKinds } from "#server/features/bot/index.ts";
import { contactResolver, createIngest } from "#server/features/inbound/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import type { MovedClock } from "#server/platform/clock/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import type { Content, InboundMessage, LineEvent } from "#server/whatsapp/port.ts";
import { createTestApp } from "./app.ts";
import type { TestApp, TestAppOptions, TestCaller } from "./app.ts";
import { aCompany, aConnection, aQueue } from "./factories.ts";
import type { ConnectionOptions, TestCompany } from "./factories.ts";
import { createFakeLine, fakeLinesFeature } from "./fake-line.ts";
import type { FakeLine, SentByLine } from "./fake-line.ts";

/** A company with a fake line: the test passes inbound events and reads what was sent. The clock is moved by hand. */
export interface BotScenario {
  readonly fakeLineApp: FakeLineApp;
  readonly app: TestApp;
  readonly clock: MovedClock;
  readonly company: TestCompany;
  readonly admin: TestCaller;
  readonly connection: Connection;
  readonly line: FakeLine;
  readonly sales: Queue;
  readonly support: Queue;
  /** Ingests these events in one transaction, as one batch of the line's journal. */
  receive(events: readonly LineEvent[]): Promise<void>;
  /** Ingests texts of a contact, one batch each; returns the texts sent to them since the last call. */
  sendTexts(phone: string, ...texts: readonly string[]): Promise<string[]>;
  /** Texts and captions sent to a contact since the last call. */
  receivedTexts(phone: string): Promise<string[]>;
  ticketOf(phone: string): Promise<Ticket>;
  messagesOf(phone: string): Promise<Message[]>;
  saveSetting(key: SettingKey, value: string): Promise<void>;
}

const aWednesday = new Date("2026-11-18T13:00:00Z");
const week = 7 * 86_400_000;

/** What a test replaces in the app. It passes features in, because only tests and the composition root may import a feature.ts. */
interface FakeLineParts {
  readonly createMessagesFeature: CreateMessagesFeature;
  /** The bot with stand-in assistants, and their kinds; default: the product's. */
  readonly bot?: {
    readonly feature: Feature;
    readonly assistants: AssistantKinds;
    /** Other features that stand in for the product's. */
    readonly others?: readonly Feature[];
  };
}

/** An app whose lines are fake lines. */
export interface FakeLineApp extends FakeLineParts {
  readonly app: TestApp;
  readonly clock: MovedClock;
  readonly lines: Map<number, FakeLine>;
}

/** Type of `createMessagesFeature`. */
type CreateMessagesFeature = (findLineOf: () => (connectionId: number) => FakeLine | undefined) => Feature;

/** One app for the tests of a file; each test creates a company of its own in it. Close its app. */
export async function createFakeLineApp(
  createMessagesFeature: CreateMessagesFeature,
  bot?: FakeLineParts["bot"],
  env: TestAppOptions["env"] = {},
): Promise<FakeLineApp> {
  const lines = new Map<number, FakeLine>();
  const clock = createMovedClock(aWednesday);
  const parts = { createMessagesFeature, ...(bot && { bot }) };
  return { ...parts, lines, clock, app: await createTestApp({ clock, env, features: featuresOf(parts, lines) }) };
}

function featuresOf({ createMessagesFeature, bot }: FakeLineParts, lines: ReadonlyMap<number, FakeLine>): Feature[] {
  const replaced = [
    createMessagesFeature(() => (id) => lines.get(id)),
    ...(bot ? [bot.feature, ...(bot.others ?? [])] : []),
  ];
  const features = allFeatures.map((feature) => replaced.find(({ name }) => name === feature.name) ?? feature);
  return [...features, fakeLinesFeature(lines)];
}

/**
 * A company with one line and two queues: Vendas with an option tree (1 Preços → 1 Mensal, 2 Anual; 2 Prazos), Suporte
 * without options. The clock starts on a Wednesday at 10:00 in São Paulo.
 */
export async function createBotScenario(
  fakeLineApp: FakeLineApp,
  options: Omit<ConnectionOptions, "queueIds"> & { readonly hasQueues?: boolean } = {},
): Promise<BotScenario> {
  const { hasQueues = true, ...fields } = options;
  const { app, clock, lines } = fakeLineApp;
  // Each scenario starts a week later, so that jobs and crons of the scenarios before do not run again.
  clock.set(new Date(aWednesday.getTime() + lines.size * week));
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const sales = await aQueue(company, { name: "Vendas", greetingMessage: "Olá de Vendas" });
  const support = await aQueue(company, { name: "Suporte", greetingMessage: "Olá do Suporte" });
  await createOptionTree(admin, sales);
  const connection = await aConnection(company, {
    greetingMessage: "Bem-vindo",
    queueIds: hasQueues ? [sales.id, support.id] : [],
    number: "5511990000001",
    ...fields,
  });
  const line = createFakeLine(connection.id);
  lines.set(connection.id, line);
  return scenarioOf({ fakeLineApp, app, clock, company, admin, connection, line, sales, support });
}

/** The same company in a further process, on the same database, files and line. */
export async function inAnotherProcess(first: BotScenario): Promise<BotScenario> {
  const { lines, clock, app: sameDatabaseAs } = first.fakeLineApp;
  const features = featuresOf(first.fakeLineApp, lines);
  const env = { DATA_DIR: sameDatabaseAs.services.config.dataDir };
  const app = await createTestApp({ clock, features, sameDatabaseAs, env, closeAfterTest: true });
  return scenarioOf({ ...first, app, admin: app.as(first.company.admin) });
}

/** An inbound message event of a line. */
export function messageFrom(
  phone: string,
  content: Content | string,
  at: Date,
  more: Partial<InboundMessage> = {},
): LineEvent & { readonly type: "message" } {
  return {
    type: "message",
    message: {
      waId: randomUUID(),
      chat: { kind: "phone", value: phone },
      person: { phone, lid: null },
      fromMe: false,
      participant: null,
      pushName: "Maria",
      at,
      isOffline: false,
      quotedWaId: null,
      content: typeof content === "string" ? { kind: "text", text: content } : content,
      ...more,
    },
  };
}

async function createOptionTree(admin: TestCaller, { id: queueId }: Queue): Promise<void> {
  const add = async (title: string, parentId: number | null = null) => {
    const body = { queueId, parentId, title, message: `Sobre ${title}` };
    return (await admin.call(queueOptions.create, { body })).body.id;
  };
  const prices = await add("Preços");
  await add("Mensal", prices);
  await add("Anual", prices);
  await add("Prazos");
}

type ScenarioParts = Pick<
  BotScenario,
  "fakeLineApp" | "app" | "clock" | "company" | "admin" | "connection" | "line" | "sales" | "support"
>;

function scenarioOf(stage: ScenarioParts): BotScenario {
  const { app, clock, company, admin, connection, line } = stage;
  const assistants = stage.fakeLineApp.bot?.assistants ?? [];
  const ingest = createIngest({ vault: app.services.vault, contacts: contactResolver, assistants });
  const heard = new Map<string, number>();
  const actor = { kind: "line", companyId: company.id, connectionId: connection.id } as const;
  const scope = { actor, companyId: company.id, log: app.services.log, clock, retry: true };

  const scenario: BotScenario = {
    ...stage,
    receive: (events) => app.db.inCompany(scope, (ctx) => ingest(ctx, connection.id, events)),
    async sendTexts(phone, ...texts) {
      for (const text of texts) {
        await scenario.receive([messageFrom(phone, text, clock.now())]);
      }
      return scenario.receivedTexts(phone);
    },
    async receivedTexts(phone) {
      await app.settle();
      const all = line.sent.filter(({ to }) => to.value === phone).map(textOf);
      const known = heard.get(phone) ?? 0;
      heard.set(phone, all.length);
      return all.slice(known);
    },
    async ticketOf(phone) {
      const query = `searchParam=${phone}&showAll=true`;
      const { body } = await admin.get<{ tickets: Ticket[] }>(`/tickets?${query}`);
      return body.tickets[0]!;
    },
    async messagesOf(phone) {
      const { id } = await scenario.ticketOf(phone);
      return (await admin.get<{ messages: Message[] }>(`/messages/${id}?peek=true`)).body.messages;
    },
    async saveSetting(key, value) {
      await admin.call(settings.save, { params: { key }, body: { value } });
    },
  };
  return scenario;
}

function textOf({ content }: SentByLine): string {
  if (content.kind === "text") {
    return content.text;
  }
  return "caption" in content ? `${content.file.fileName}: ${content.caption}` : content.kind;
}
