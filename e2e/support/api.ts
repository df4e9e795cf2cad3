/** Set-up of journeys over the API: users, lines, customers and their messages. */
import { readFile } from "node:fs/promises";
import {
  auth,
  companies,
  connections,
  plans,
  queues,
  sessionRules,
  simulator,
  tickets,
  userBody,
  users,
} from "@prosa/contract";
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

/** A signed-in API client, without a browser. */
export interface ApiClient {
  readonly url: string;
  readonly userId: number;
  call<E extends AnyEndpoint>(endpoint: E, input?: CallInput<E>): Promise<ResponseOf<E>>;
}

/** Half of how long a token is valid: the client of a worker lives longer than one. */
const SIGN_IN_AGAIN_MS = sessionRules.accessTokenSeconds * 500;

export async function signInToApi(url: string, account: Pick<Account, "email">): Promise<ApiClient> {
  const signIn = async () => ({
    ...(await send(url, auth.login, { body: { email: account.email, password } })),
    at: performance.now(),
  });
  let session = await signIn();
  return {
    url,
    userId: session.user.id,
    async call(endpoint, input) {
      if (performance.now() - session.at > SIGN_IN_AGAIN_MS) {
        session = await signIn();
      }
      return send(url, endpoint, input, session.token);
    },
  };
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

/** Padded so that every run has names of the same length, and clips them alike. */
let serial = 100;
/** A name that no other journey uses. */
export function uniqueName(name: string): string {
  serial += 1;
  return `${name} ${serial}`;
}

export async function createUser(
  admin: ApiClient,
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

/** Journeys create more users in the demo's company than its plan allows. */
export async function removePlanLimits(operator: ApiClient): Promise<void> {
  for (const { id } of await operator.call(plans.list, {})) {
    await operator.call(plans.update, { params: { id }, body: { users: 10_000, connections: 1_000, queues: 1_000 } });
  }
}

/** A company with a plan of its own, and its first admin, who may sign in in a browser. */
export async function createCompany(
  operator: ApiClient,
  limits: Partial<BodyIn<typeof plans.create>> = {},
): Promise<Account> {
  const name = uniqueName("Padaria");
  const email = `${name.toLowerCase().replace(" ", ".")}@journey.example`;
  const plan = { name: uniqueName("Plano"), users: 9, connections: 9, queues: 9, isPublic: false, ...limits };
  const { id: planId } = await operator.call(plans.create, { body: plan });
  await operator.call(companies.create, { body: { name, email, planId, password } });
  return { name, email };
}

export async function createQueue(admin: ApiClient, name: string, color: string): Promise<number> {
  const { id } = await admin.call(queues.create, { body: { name, color } });
  return id;
}

/** A linked and connected simulator line. */
export async function connectLine(admin: ApiClient, name: string, queueIds: number[] = []): Promise<Connection> {
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
  /** The texts on their phone. */
  sees(): Promise<SimMessage[]>;
}

export async function addCustomer(admin: ApiClient, line: Connection, name: string): Promise<Customer> {
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

/** The ticket of this contact, as soon as it exists. */
export async function ticketOf(admin: ApiClient, name: string) {
  const find = async () => {
    const query = { pageNumber: "1", searchParam: name.toLowerCase(), showAll: "true" } as const;
    const { tickets: found } = await admin.call(tickets.list, { query });
    return found.find((ticket) => ticket.contact.name === name);
  };
  await expect.poll(find, { message: `a ticket of ${name}` }).toBeDefined();
  return (await find())!;
}
