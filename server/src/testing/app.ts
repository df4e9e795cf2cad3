import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyEndpoint, BodyIn, ParamsIn, QueryIn, ResponseOf } from "@prosa/contract";
import type { InjectOptions } from "fastify";
import { onTestFinished } from "vitest";
import { compose } from "#server/app/compose.ts";
import type { Product } from "#server/app/compose.ts";
import { features as allFeatures } from "#server/app/features.ts";
import { createServices } from "#server/app/services.ts";
import type { AccessClaims } from "#server/platform/auth/index.ts";
import { systemClock } from "#server/platform/clock/index.ts";
import type { Clock } from "#server/platform/clock/index.ts";
import { readConfig } from "#server/platform/config/index.ts";
import { openDatabase } from "#server/platform/db/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";
import { createTestDatabase, testLog } from "./database.ts";
import type { TestDatabase } from "./database.ts";
import { connectSocket } from "./socket.ts";
import type { SocketOptions, TestSocket } from "./socket.ts";

export interface TestAppOptions {
  /** Default: all features. */
  readonly features?: readonly Feature[];
  /** Default: that of `sameDatabaseAs`, else the system clock. */
  readonly clock?: Clock;
  /** Settings as the environment would give them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a migrated, empty one. Dropped by `close`. */
  readonly database?: TestDatabase;
  /** Starts a further process on the database of this app. */
  readonly sameDatabaseAs?: TestApp;
  /** Close the app when the test ends; otherwise call `close`. */
  readonly closeAfterTest?: boolean;
}

/** The whole product on a database of its own. It opens no port before `listen` or `connect`. Jobs run in `settle` only. */
export interface TestApp {
  readonly product: Product;
  readonly services: Services;
  readonly db: Db;
  readonly database: TestDatabase;
  /** An API caller with this session; without claims an anonymous one. */
  as(claims: AccessClaims | undefined): TestCaller;
  /** Runs due jobs and publishes events until none is left. */
  settle(): Promise<void>;
  /** Opens a port, once. */
  listen(): Promise<string>;
  /** A connected socket with this session, after its `ready`. */
  connect(claims: AccessClaims, socketOptions?: SocketOptions): Promise<TestSocket>;
  close(): Promise<void>;
}

export interface TestResponse<T = unknown> {
  readonly status: number;
  readonly body: T;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** Cookies set by the response, by name. */
  readonly cookies: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string>>;

export interface TestCaller {
  get<T = unknown>(path: string, headers?: Headers): Promise<TestResponse<T>>;
  /** A FormData body is sent as multipart, a Buffer unchanged with the given content-type, anything else as JSON. */
  post<T = unknown>(path: string, body?: unknown, headers?: Headers): Promise<TestResponse<T>>;
  put<T = unknown>(path: string, body?: unknown, headers?: Headers): Promise<TestResponse<T>>;
  delete<T = unknown>(path: string, body?: unknown, headers?: Headers): Promise<TestResponse<T>>;
  /** Calls an endpoint of the contract, with typed input and response. */
  call<E extends AnyEndpoint>(endpoint: E, input?: CallInput<E>): Promise<TestResponse<ResponseOf<E>>>;
}

export interface CallInput<E> {
  readonly params?: ParamsIn<E>;
  readonly query?: QueryIn<E>;
  readonly body?: BodyIn<E> | FormData;
}

export const testSecret = "a secret that only tests know of 32 and more signs";

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { features = allFeatures, env = {}, sameDatabaseAs, closeAfterTest = false } = options;
  const clock = options.clock ?? sameDatabaseAs?.services.clock ?? systemClock;
  const database = sameDatabaseAs?.database ?? options.database ?? (await createTestDatabase());
  const db = sameDatabaseAs ? openDatabase({ url: database.url, log: testLog, max: 8, systemMax: 3 }) : database.db;
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-app-"));
  const config = readConfig({
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    HOST: "127.0.0.1",
    PORT: "0",
    SECRET_KEY: testSecret,
    // Texts of tests contain addresses; only those of previews ask their pages, which are of the test.
    LINK_PREVIEWS: "off",
    ...env,
  });
  const services = await createServices({ config, log: testLog, db, clock }, features);
  const product = await compose(services, features);
  await product.tail.start();
  let url: Promise<string> | undefined;

  const app: TestApp = {
    product,
    services,
    db,
    database,
    as: (claims) => callerOf(product, claims),
    async settle() {
      await product.tail.catchUp();
      await product.jobs?.drain();
      await product.tail.catchUp();
    },
    listen: () => (url ??= listen(product)),
    async connect(claims, socketOptions = {}) {
      const socket = connectSocket(await app.listen(), await services.tokens.issue(claims), socketOptions);
      await socket.ready;
      return socket;
    },
    async close() {
      await product.realtime?.close();
      await product.http.fastify.close();
      await product.jobs?.stop();
      await product.tail.stop();
      await product.close();
      await (sameDatabaseAs ? db.close() : database.drop());
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  if (closeAfterTest) {
    onTestFinished(() => app.close());
  }
  return app;
}

async function listen({ http, services }: Product): Promise<string> {
  await http.fastify.listen({ host: "127.0.0.1", port: 0 });
  const { port } = http.fastify.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  services.bound(url);
  return url;
}

function callerOf({ http, services }: Product, claims: AccessClaims | undefined): TestCaller {
  async function send<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Headers = {},
  ): Promise<TestResponse<T>> {
    const bearer = claims && { authorization: `Bearer ${await services.tokens.issue(claims)}` };
    const { payload, type } = await payloadOf(body);
    const response = await http.fastify.inject({
      method: method as NonNullable<InjectOptions["method"]>,
      url: path,
      headers: { ...bearer, ...(type !== undefined && { "content-type": type }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return {
      status: response.statusCode,
      body: (isJson && response.body !== "" ? response.json() : response.body) as T,
      text: response.body,
      headers: response.headers,
      cookies: Object.fromEntries(response.cookies.map(({ name, value }) => [name, value])),
    };
  }

  return {
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, body, headers) => send("POST", path, body, headers),
    put: (path, body, headers) => send("PUT", path, body, headers),
    delete: (path, body, headers) => send("DELETE", path, body, headers),
    call: (endpoint, { params, query, body } = {}) =>
      send(endpoint.method, addressOf(endpoint.path, params, query), body),
  };
}

function addressOf(pattern: string, params: unknown, query: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) {
      search.set(name, String(value));
    }
  }
  return search.size > 0 ? `${path}?${search.toString()}` : path;
}

async function payloadOf(body: unknown): Promise<{ payload?: string | Buffer; type?: string }> {
  if (body === undefined) {
    return {};
  }
  if (Buffer.isBuffer(body)) {
    return { payload: body };
  }
  if (body instanceof FormData) {
    const encoded = new Response(body);
    return { payload: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get("content-type") ?? "" };
  }
  return { payload: JSON.stringify(body), type: "application/json" };
}
