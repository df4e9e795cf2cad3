/** What happens before a journey is told over the API: users, lines, what customers write. */
import { readFile } from "node:fs/promises";
import { auth, companies, connections, plans, queues, simulator, tickets, userBody, users } from "@prosa/contract";
import type {
  AnyEndpoint,
  BodyIn,
  Connection,
  ParamsIn,
  Profile,
  QueryIn,
  ResponseOf,
  SimMessage,
} from "@prosa/contract";
import { expect } from "@playwright/test";

export const password = "prosa123";
export const photo = new URL("../files/foto.jpg", import.meta.url).pathname;

export interface Account {
  readonly name: string;
  readonly email: string;
}

interface CallInput<E> {
  readonly params?: ParamsIn<E>;
  readonly query?: QueryIn<E>;
  readonly body?: BodyIn<E>;
  readonly form?: FormData;
}

/** Somebody who is signed in, without a browser. */
export interface Caller {
  readonly url: string;
  readonly userId: number;
  call<E extends AnyEndpoint>(endpoint: E, input?: CallInput<E>): Promise<ResponseOf<E>>;
}

export async function callAs(url: string, account: Pick<Account, "email">): Promise<Caller> {
  const { token, user } = await send(url, auth.login, { body: { email: account.email, password } });
  return { url, userId: user.id, call: (endpoint, input) => send(url, endpoint, input, token) };
}

async function send<E extends AnyEndpoint>(
  url: string,
  endpoint: E,
  { params, query, body, form }: CallInput<E> = {},
  token?: string,
): Promise<ResponseOf<E>> {
  const values = new Map(Object.entries(params ?? {}));
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(values.get(name)));
  const search = new URLSearchParams(query as Record<string, string> | undefined).toString();
  const answer = await fetch(`${url}${path}${search === "" ? "" : `?${search}`}`, {
    method: endpoint.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
  });
  if (!answer.ok) {
    throw new Error(`${endpoint.method} ${path}: ${answer.status} ${await answer.text()}`);
  }
  return endpoint.response.parse(await answer.json()) as ResponseOf<E>;
}

/** From the first on as long as the hundredth would be: what cuts a name cuts it in every run. */
let serial = 100;
/** A name that no other journey uses. */
export function called(name: string): string {
  serial += 1;
  return `${name} ${serial}`;
}

export async function hire(
  admin: Caller,
  name: string,
  rights: { readonly profile?: Profile; readonly queueIds?: number[]; readonly allTicket?: boolean } = {},
): Promise<Account & { readonly id: number }> {
  const email = `${name.toLowerCase().replaceAll(/\W+/g, ".")}@journey.example`;
  const body = userBody.parse({
    name,
    email,
    password,
    profile: rights.profile ?? "user",
    allTicket: rights.allTicket === false ? "desabled" : "enabled",
    queueIds: rights.queueIds ?? [],
  });
  const { id } = await admin.call(users.create, { body });
  return { id, name, email };
}

/** Journeys hire more people into the demo's company than any demo needs. */
export async function liftLimits(operator: Caller): Promise<void> {
  for (const { id } of await operator.call(plans.list, {})) {
    await operator.call(plans.update, { params: { id }, body: { users: 10_000, connections: 1_000, queues: 1_000 } });
  }
}

/** A company with a plan of its own, and its first admin, whom a browser may be. */
export async function foundCompany(
  operator: Caller,
  limits: Partial<BodyIn<typeof plans.create>> = {},
): Promise<Account> {
  const name = called("Padaria");
  const email = `${name.toLowerCase().replace(" ", ".")}@journey.example`;
  const plan = { name: called("Plano"), users: 9, connections: 9, queues: 9, isPublic: false, ...limits };
  const { id: planId } = await operator.call(plans.create, { body: plan });
  await operator.call(companies.create, { body: { name, email, planId, password } });
  return { name, email };
}

export async function openQueue(admin: Caller, name: string, color: string): Promise<number> {
  const { id } = await admin.call(queues.create, { body: { name, color } });
  return id;
}

/** A simulator line, scanned and connected. */
export async function connectLine(admin: Caller, name: string, queueIds: number[] = []): Promise<Connection> {
  const { id } = await admin.call(connections.create, { body: { name, provider: "simulator", queueIds } });
  const line = async () => admin.call(connections.get, { params: { id }, query: {} });
  await expect.poll(async () => (await line()).qrcode, { timeout: 60_000 }).not.toBe("");
  await admin.call(simulator.scan, { params: { id } });
  await expect.poll(async () => (await line()).status, { timeout: 60_000 }).toBe("CONNECTED");
  return line();
}

/** A customer of a line. */
export interface Customer {
  readonly name: string;
  readonly number: string;
  says(text: string): Promise<void>;
  sendsPhoto(caption: string): Promise<void>;
  looks(): Promise<void>;
  /** What their phone shows. */
  sees(): Promise<SimMessage[]>;
}

export async function meet(admin: Caller, line: Connection, name: string): Promise<Customer> {
  const { number } = await admin.call(simulator.addPerson, { params: { id: line.id }, body: { name } });
  const params = { id: line.id, number };
  return {
    name,
    number,
    async says(text) {
      await admin.call(simulator.say, { params, body: { body: text } });
    },
    async sendsPhoto(caption) {
      const form = new FormData();
      form.set("body", caption);
      form.set("medias", new Blob([await readFile(photo)], { type: "image/jpeg" }), "foto.jpg");
      await admin.call(simulator.say, { params, form });
    },
    async looks() {
      await admin.call(simulator.read, { params });
    },
    sees: () => admin.call(simulator.chat, { params }),
  };
}

/** The ticket of this contact, once it is there. */
export async function ticketOf(admin: Caller, name: string) {
  const find = async () => {
    const query = { pageNumber: "1", searchParam: name.toLowerCase(), showAll: "true" } as const;
    const { tickets: found } = await admin.call(tickets.list, { query });
    return found.find((ticket) => ticket.contact.name === name);
  };
  await expect.poll(find, { message: `a ticket of ${name}` }).toBeDefined();
  return (await find())!;
}
