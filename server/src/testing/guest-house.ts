import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import { Form } from "#server/app/specified-requests/format/table.ts";
import type { Who } from "#server/app/specified-requests/format/table.ts";
import type { Kept } from "#server/app/specified-requests/format/kept.ts";
import { contactResolver, createIngest } from "#server/features/inbound/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { createTestApp } from "./app.ts";
import type { TestApp } from "./app.ts";
import { aCompany, aConnection, aContact, aQueue, aUser, testPassword } from "./factories.ts";
import type { TestCompany, TestUser } from "./factories.ts";
import { createFakeLine, fakeLinesFeature } from "./fake-line.ts";
import type { FakeLine } from "./fake-line.ts";

/** One product with a company at work, met over HTTP and sockets alone. */
export interface House {
  readonly url: string;
  /** What every table may name: {company}, {queue}, {contact}, {ticket}… */
  readonly kept: Kept;
  readonly line: FakeLine;
  send(who: Who, method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** A customer's text arrives on the line. */
  receive(number: string, text: string): Promise<void>;
  /** Jobs are done and events are on their way. */
  settle(): Promise<void>;
  socketOf(who: Who): Promise<GuestSocket>;
  close(): Promise<void>;
}

export interface SendOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A plain socket client; `heard` are all packets so far. */
export interface GuestSocket {
  readonly io: Socket;
  readonly heard: { readonly channel: string; readonly payload: unknown }[];
  /** All packets that were sent before have arrived. */
  flushed(): Promise<void>;
}

/** `featuresWith`: the product's features, its lines replaced by these. */
export async function openHouse(
  featuresWith: (lines: ReadonlyMap<number, FakeLine>) => readonly Feature[],
): Promise<House> {
  const lines = new Map<number, FakeLine>();
  const app = await createTestApp({ features: [...featuresWith(lines), fakeLinesFeature(lines)] });
  const url = await app.listen();
  const company = await aCompany(app, { name: "Padaria Sol", dueDate: "2099-12-31" });
  const other = await aCompany(app, { name: "Outra Casa" });
  const owner = await aCompany(app, { name: "Operadora", isOperator: true });
  const queue = await aQueue(company, { name: "Suporte", color: "#123456", greetingMessage: "Oi!" });
  const sales = await aQueue(company, { name: "Vendas", color: "#654321", greetingMessage: "Oi!" });
  const people: Record<Exclude<Who, "nobody">, TestUser> = {
    admin: company.admin,
    supervisor: await aUser(company, { profile: "supervisor", name: "Sueli Souza", queues: [queue] }),
    agent: await aUser(company, { name: "Ana Lima", queues: [queue], allTicket: true }),
    colleague: await aUser(company, { name: "Beto Dias", queues: [sales] }),
    newcomer: await aUser(company, { name: "Nina Paz", queues: [sales] }),
    operator: owner.admin,
    stranger: other.admin,
  };
  const connection = await aConnection(company, {
    name: "Balcão",
    number: "5511990000001",
    greetingMessage: "Bom dia!",
    queueIds: [queue.id, sales.id],
  });
  const line = createFakeLine(connection.id);
  lines.set(connection.id, line);
  const contact = await aContact(company, { name: "Carla Nunes", number: "5511987650001" });

  const kept: Kept = new Map<string, unknown>([
    ["company", company.id],
    ["otherCompany", other.id],
    ["queue", queue.id],
    ["sales", sales.id],
    ["connection", connection.id],
    ["contact", contact.id],
    ...Object.entries(people).flatMap(([who, user]): [string, unknown][] => [
      [who, user.userId],
      [`${who}Email`, user.email],
    ]),
    ["password", testPassword],
    // Encoded as in a path: the reset has a stricter rule than sign-up (decision 0245).
    ["newPassword", "Prosa%20123"],
    // As a list of choices holds them.
    ["queueText", String(queue.id)],
    ["agentText", String(people.agent.userId)],
    ["contactText", String(contact.id)],
    // The company's own day.
    ["today", new Date().toLocaleDateString("sv", { timeZone: "America/Sao_Paulo" })],
  ]);
  const tokens = await signInAll(url, people);
  const sockets = new Map<Who, Promise<GuestSocket>>();

  return {
    url,
    kept,
    line,
    send: (who, method, path, options) => send(url, tokens.get(who), method, path, options),
    receive: (number, text) => receive(app, company, connection.id, { number, text }),
    settle: () => app.settle(),
    socketOf(who) {
      const socket = sockets.get(who) ?? connect(url, who, tokens.get(who) ?? "");
      sockets.set(who, socket);
      return socket;
    },
    async close() {
      (await Promise.all(sockets.values())).forEach((socket) => socket.io.disconnect());
      await app.close();
    },
  };
}

async function signInAll(url: string, people: Readonly<Record<string, TestUser>>): Promise<Map<Who, string>> {
  const tokens = new Map<Who, string>();
  for (const [who, { email }] of Object.entries(people)) {
    const body = { email, password: testPassword };
    const answer = await send(url, undefined, "POST", "/auth/login", { body });
    tokens.set(who as Who, (answer.body as { token: string }).token);
  }
  return tokens;
}

async function send(
  url: string,
  token: string | undefined,
  method: string,
  path: string,
  { body, headers = {} }: SendOptions = {},
): Promise<Answer> {
  const isJson = body !== undefined && !(body instanceof Form);
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(isJson && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof Form ? formData(body) : JSON.stringify(body) }),
  });
  const words = await response.text();
  const isJsonAnswer = response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    body: isJsonAnswer && words !== "" ? (JSON.parse(words) as unknown) : words,
    headers: response.headers,
  };
}

function formData({ parts }: Form): FormData {
  const data = new FormData();
  for (const [field, part] of parts) {
    if (typeof part === "string") {
      data.append(field, part);
    } else {
      data.append(field, new File([Buffer.from(part.bytes)], part.name, { type: part.type }));
    }
  }
  return data;
}

async function connect(url: string, who: Who, token: string): Promise<GuestSocket> {
  // Half of the family's clients send it one way, half the other.
  const where = who === "agent" ? { query: { token } } : { auth: { token } };
  const socket = io(url, { transports: ["websocket"], reconnection: false, forceNew: true, ...where });
  const heard: GuestSocket["heard"] = [];
  socket.onAny((channel: string, payload: unknown) => heard.push({ channel, payload }));
  await new Promise((resolve, reject) => {
    socket.once("ready", resolve);
    socket.once("connect_error", reject);
  });
  const flushed = async () => {
    if (socket.connected) {
      // A session that ends meanwhile ends its socket.
      await socket
        .timeout(5_000)
        .emitWithAck("userStatus")
        .catch(() => undefined);
    }
  };
  socket.emit("joinNotification");
  for (const status of ["open", "pending", "closed"]) {
    socket.emit("joinTickets", status);
  }
  await flushed();
  return { io: socket, heard, flushed };
}

let received = 0;

function receive(
  { db, services }: TestApp,
  { id: companyId }: TestCompany,
  connectionId: number,
  { number, text }: { readonly number: string; readonly text: string },
): Promise<void> {
  const ingest = createIngest({ vault: services.vault, contacts: contactResolver });
  const { log, clock } = services;
  received += 1;
  const event = {
    type: "message",
    message: {
      waId: `GUEST${received}`,
      chat: { kind: "phone", value: number },
      person: { phone: number, lid: null },
      fromMe: false,
      participant: null,
      pushName: `Cliente ${received}`,
      at: clock.now(),
      isOffline: false,
      quotedWaId: null,
      content: { kind: "text", text },
    },
  } as const;
  return db.inCompany({ actor: { kind: "line", companyId, connectionId }, companyId, log, clock }, (ctx) =>
    ingest(ctx, connectionId, [event]),
  );
}
