import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultSchedules } from "@prosa/contract";
import type { Queue, QueueOption } from "@prosa/contract";
import { WaSim } from "@prosa/wa-sim";
import type { Content, Group, Person } from "@prosa/wa-sim";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { conversations, lineNumbers } from "#server/testing/bot-table.ts";
import type { Conversation, Turn } from "#server/testing/bot-table.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { startServerProcess } from "#server/testing/processes.ts";
import type { ServerProcess } from "#server/testing/processes.ts";
import { signInWithRetries } from "#server/testing/storm/retrying-api.ts";
import type { RetryingApi } from "#server/testing/storm/retrying-api.ts";
import { makeCompany } from "#server/testing/storm/company.ts";
import { linkLine } from "#server/testing/storm/link-line.ts";
import type { RunQuery } from "#server/testing/storm/verdict.ts";
import { waitUntil } from "#server/testing/wait-until.ts";

/** BOT_SEED=n repeats the order of a failed run. */
const seed = Number(process.env["BOT_SEED"] ?? randomInt(2 ** 31));
/** Maximum of concurrent turns. */
const maxConcurrentTurns = 25;
const patienceMs = 60_000;
/** A contact who has read the menu: longer than 5 s, plus the second that WhatsApp's times lose. */
const readingMs = 6_000;

let folder: string;
let database: TestDatabase;
let sim: WaSim;
let server: ServerProcess;
let api: RetryingApi;
let look: RunQuery;
let group: Group;

interface Customer {
  readonly person: Person;
  readonly row: Conversation;
  left: readonly Turn[];
  received: number;
  /** When the turn before ended, in milliseconds. */
  answeredAt: number;
}
let customers: readonly Customer[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prosa-bot-table-"));
  database = await createTestDatabase();
  // libsignal logs replaced sessions.
  vi.spyOn(console, "info").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  sim = await WaSim.start();
  const company = await makeCompany(database.db, "bottable");
  look = (query) => database.inCompany(company.companyId, async (ctx) => (await query.execute(ctx.db)).rows);
  server = await startServerProcess({
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: database.url,
    WHATSAPP_WS_URL: sim.wsUrl,
    NODE_EXTRA_CA_CERTS: sim.caFile,
    SIMULATOR: "off",
  });
  api = await signInWithRetries(() => server.url, company);
  await setUpCompany(company.companyId);
  customers = Array.from({ length: 100 }, (_, index) => {
    const row = conversations[index % conversations.length]!;
    const person = sim.person(`55119${70_000_000 + index}`, { name: "Rui" });
    return { person, row, left: row.turns, received: 0, answeredAt: 0 };
  });
  const members = customers.filter(({ row }) => row.turns.some((turn) => "sendsToGroup" in turn));
  group = sim.group({ subject: "Condomínio", members: members.map(({ person }) => person), line: lineNumbers.shop });
});

afterAll(async () => {
  await server.kill();
  await sim.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function setUpCompany(companyId: number): Promise<void> {
  for (const [key, value] of [
    ["userRating", "enabled"],
    ["sendGreetingMessageOneQueues", "enabled"],
    ["scheduleType", "queue"],
  ]) {
    await api.call("PUT", `/settings/${key}`, { value });
  }
  const always = { startTime: "00:00", endTime: "12:00", startTime2: "12:00", endTime2: "00:00" };
  const never = { startTime: "00:00", endTime: "00:00" };
  const queue = async (color: string, name: string, texts: object, hours: object = always) => {
    const schedules = defaultSchedules.map((day) => ({ ...day, ...hours }));
    return (await api.call<Queue>("POST", "/queue", { name, color, schedules, ...texts })).id;
  };
  const sales = await queue("#111111", "Vendas", { greetingMessage: "Olá de Vendas" });
  const support = await queue("#222222", "Suporte", { greetingMessage: "Olá do Suporte" });
  const billing = await queue("#333333", "Financeiro", { outOfHoursMessage: "O Financeiro está fechado" }, never);
  const desk = await queue("#444444", "Recepção", { greetingMessage: "Aqui é a Recepção" });
  const counter = await queue("#555555", "Balcão", { greetingMessage: "Olá do Balcão" });
  // It is noon in the company's time zone: closed, and no midnight comes before the end of the test.
  await api.call("PUT", `/companies/${companyId}/locale`, { timeZone: zoneAtNoon(), language: "pt" });
  const deliveries = await queue("#666666", "Entregas", {}, { startTime: "08:00", endTime: "10:00" });
  await createOptionTree(sales);
  await createOption(counter, "Remédios", "Qual remédio?");
  await createOption(counter, "Entrega", "Entregamos em uma hora");

  const connect = async (number: string, name: string, greetingMessage: string, more: object) => {
    const { id } = await api.call<{ id: number }>("POST", "/whatsapp", { name, greetingMessage, ...more });
    await linkLine(sim, look, id, number);
  };
  await connect(lineNumbers.shop, "Loja", "Bem-vindo à Loja", {
    queueIds: [sales, support, billing],
    maxUseBotQueues: 0,
    ratingMessage: "De 1 a 3, como foi?",
    complationMessage: "Obrigado, até logo",
  });
  await connect(lineNumbers.clinic, "Clínica", "Bem-vindo à Clínica", { queueIds: [desk] });
  await connect(lineNumbers.garage, "Oficina", "Bem-vindo à Oficina", {
    queueIds: [sales, support],
    maxUseBotQueues: 2,
    ratingMessage: "Sua nota para a Oficina?",
    complationMessage: "A Oficina agradece",
  });
  await connect(lineNumbers.school, "Escola", "Bem-vindo à Escola", {
    queueIds: [sales, support],
    timeUseBotQueues: 60,
  });
  await connect(lineNumbers.bank, "Banco", "Bem-vindo ao Banco", { queueIds: [billing] });
  await connect(lineNumbers.bakery, "Padaria", "Bem-vindo à Padaria", { queueIds: [support, deliveries] });
  await connect(lineNumbers.pharmacy, "Farmácia", "Bem-vindo à Farmácia", { queueIds: [counter] });
}

/** A time zone where it is between 12:00 and 13:00 now. Etc/GMT+3 is three hours behind UTC. */
function zoneAtNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  return `Etc/GMT${behind < 0 ? "-" : "+"}${Math.abs(behind)}`;
}

async function createOption(queueId: number, title: string, message: string, parentId: number | null = null) {
  return (await api.call<QueueOption>("POST", "/queue-options", { queueId, parentId, title, message })).id;
}

async function createOptionTree(queueId: number): Promise<void> {
  const prices = await createOption(queueId, "Preços", "Sobre os preços");
  await createOption(queueId, "Mensal", "São R$ 10 por mês", prices);
  await createOption(queueId, "Anual", "São R$ 100 por ano", prices);
  const catalogue = await createOption(queueId, "Catálogo", "Nosso catálogo");
  await createOption(queueId, "Prazos", "Em dois dias úteis");
  const form = new FormData();
  form.set("file", new File(["caneta;2"], "catalogo.csv"));
  await fetch(`${server.url}/queue-options/${catalogue}/media-upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}` },
    body: form,
  });
}

/** Runs all conversations interleaved: draws the next turn among the customers that wait for no message. */
async function runConversations(draw: (below: number) => number): Promise<void> {
  const ready = [...customers];
  const running = new Set<Promise<void>>();
  while (ready.length + running.size > 0) {
    if (ready.length === 0 || running.size === maxConcurrentTurns) {
      await Promise.race(running);
      continue;
    }
    const [customer] = ready.splice(draw(ready.length), 1);
    const turn = takeTurn(customer!).then(() => {
      running.delete(turn);
      if (customer!.left.length > 0) {
        ready.push(customer!);
      }
    });
    running.add(turn);
  }
}

async function takeTurn(customer: Customer): Promise<void> {
  const { person, row } = customer;
  const [turn, ...left] = customer.left as readonly [Turn, ...Turn[]];
  customer.left = left;
  if ("sends" in turn) {
    await sleep(turn.afterReading ? Math.max(0, customer.answeredAt + readingMs - Date.now()) : 0);
    // All of a burst is on its way before the first is delivered.
    const sent = await Promise.all(sentIn(turn).map((content) => person.sends(lineNumbers[row.line], content)));
    await Promise.all(sent.map(({ delivered }) => delivered));
  } else if ("sendsToGroup" in turn) {
    await person.sends(group, turn.sendsToGroup);
  } else {
    await act(person, turn.agent);
  }
  customer.received += receivedIn(turn).length;
  await waitUntil(async () => phoneOf(customer).length >= customer.received, patienceMs).catch(() => {
    // Timed out: the comparison with the table shows what is missing.
    customer.left = [];
  });
  customer.answeredAt = Date.now();
}

/** Messages in the customer's own chat with the line, in order. */
function phoneOf({ person, row }: Customer): string[] {
  const own = person.inbox(lineNumbers[row.line]).filter((message) => message.group === undefined);
  return own.map(({ content, text }) => ("fileName" in content ? `${content.fileName}: ${text}` : text));
}

async function act({ number }: Person, what: "accepts" | "resolves"): Promise<void> {
  const [ticket] = await look(sql<{ id: number }>`
    select t.id from tickets t join contacts c on c.id = t.contact_id where c.number = ${number}`);
  await api.call("PUT", `/tickets/${ticket?.id}`, { status: what === "accepts" ? "open" : "closed" });
}

interface TicketState {
  readonly number: string;
  readonly status: string;
  readonly queue: string | null;
  readonly chatbot: boolean;
  readonly rating: number | null;
  /** Number of stored messages of the contact. */
  readonly sent: number;
  /** Number of our messages without an ack. */
  readonly unsent: number;
}

/** All tickets of the company; there must be none of a group. */
function ticketStates(): Promise<TicketState[]> {
  return look(sql<TicketState>`
    select c.number, t.status, q.name as queue, t.chatbot,
      (select max(e.rating) from episodes e where e.ticket_id = t.id)::int as rating,
      (select count(*) from messages m where m.ticket_id = t.id and not m.from_me and not m.is_stub)::int as sent,
      (select count(*) from messages m where m.ticket_id = t.id and m.from_me and m.ack < 1)::int as unsent
    from tickets t join contacts c on c.id = t.contact_id left join queues q on q.id = t.queue_id
    order by c.number`);
}

const receivedIn = (turn: Turn): readonly string[] => ("receives" in turn ? (turn.receives ?? []) : []);

function sentIn(turn: Turn): readonly Content[] {
  if (!("sends" in turn)) {
    return [];
  }
  return typeof turn.sends === "object" && "length" in turn.sends ? turn.sends : [turn.sends];
}

test("a hundred conversations over the real protocol, in a random order, end as the table says (B-01, B-02, B-03, Q-03, Q-04, Q-05, Q-06, Q-09, G-02)", async () => {
  const wanted = customers.map(({ person: { number }, row: { about, turns, ends } }) => {
    const sent = turns.flatMap(sentIn).length;
    return { about, phone: turns.flatMap(receivedIn), ticket: { number, ...ends, sent, unsent: 0 } };
  });

  await runConversations(randomly(seed));
  await Promise.all(Object.values(lineNumbers).map((number) => sim.settled(number, { timeoutMs: patienceMs })));
  // A reply is stored in the transaction of its message: once all messages are stored and sent, no reply can follow.
  const isSettled = (all: readonly TicketState[]) =>
    all.every(({ number, sent, unsent }) => {
      const own = wanted.find(({ ticket }) => ticket.number === number);
      return unsent === 0 && sent >= (own?.ticket.sent ?? 0);
    });
  await waitUntil(async () => isSettled(await ticketStates()), patienceMs).catch(() => undefined);

  const tickets = await ticketStates();
  const found = customers.map((customer) => ({
    about: customer.row.about,
    phone: phoneOf(customer),
    ticket: tickets.find(({ number }) => number === customer.person.number),
  }));
  expect(found, `BOT_SEED=${seed}`).toEqual(wanted);
  expect(tickets, `BOT_SEED=${seed}`).toHaveLength(customers.length);
}, 400_000);

/** Pseudo-random numbers from a seed. */
function randomly(from: number): (below: number) => number {
  let state = from;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}
