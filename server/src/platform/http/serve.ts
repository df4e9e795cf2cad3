import { errorStatus } from "@prosa/contract";
import type { AnyEndpoint, BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from "@prosa/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { recordAuditOf, runForCaller } from "../audit/index.ts";
import type { LiveApiKey, LiveToken } from "../auth/index.ts";
import { AppError } from "../ctx.ts";
import type { Actor, Ctx, UserActor } from "../ctx.ts";
import { countStatements } from "../db/index.ts";
import type { Cached, CacheRead, CompanyScope, Statement, SystemTx } from "../db/index.ts";
import type { Logger } from "../log/index.ts";
import { addressBlock } from "../net/index.ts";
import { traced } from "../tracing/index.ts";
import type { Services } from "../services.ts";
import { authenticateRequest, authorize } from "./authentication.ts";
import { answerOnce, readKeyedRequest } from "./idempotency/index.ts";
import {
  callerAddress,
  companyLocaleOfRequest,
  compileGuestInput,
  parseInput,
  readGuestQuery,
  readMultipart,
  refuseUnstorableText,
  validationError,
} from "./requests/index.ts";
import { createSerializer } from "./responses/index.ts";
import type { JsonText, ResponseValue, Serialize } from "./responses/index.ts";
import { enforceSharedLimit } from "./limits/index.ts";
import type { FindByToken, RateLimiter } from "./limits/index.ts";
import type { GuestInput, Multipart, Upload } from "./requests/index.ts";

/** Server and services that routes are mounted on: `serve(api, contract.tickets.list, handler)`. */
export interface Api {
  readonly fastify: FastifyInstance;
  readonly services: Services;
  /** Loads the API token of a connection; provided by the feature of the external API. */
  readonly loadToken: FindByToken<LiveToken> | undefined;
  /** Loads the API key of a company. */
  readonly loadApiKey: FindByToken<LiveApiKey> | undefined;
  /** Endpoints mounted so far, for OpenAPI and the tests of rights. */
  readonly endpoints: AnyEndpoint[];
  /** Those of them that may be sent again under an Idempotency-Key. */
  readonly answeredOnce: Set<AnyEndpoint>;
}

/** The request, parsed by the contract. */
export interface Input<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Temporary files, deleted after the response. */
  readonly files: readonly Upload[];
  readonly request: FastifyRequest;
  /** For cookies, status and headers. A handler that streams or redirects returns the reply. */
  readonly reply: FastifyReply;
}

type Answer<E> = ResponseValue<ResponseOf<E>> | JsonText;

/**
 * Runs in one transaction of the actor's company; the response is sent after COMMIT. It does not reply itself: its answer may be kept
 * for a request that is sent again.
 */
export type Handler<E> = (ctx: Ctx, input: Input<E>) => Promise<Answer<E>>;

/** Runs without a transaction: for public calls, hot single reads, and services that need several transactions. */
export type RequestScopeHandler<E> = (scope: RequestScope, input: Input<E>) => Promise<Answer<E> | FastifyReply>;

/** The same, of a call that makes something, in one transaction among others or in one of the system. */
type OnceHandler<E> = (scope: OnceScope, input: Input<E>) => Promise<Answer<E>>;

/** Context of a handler that opens its own transactions. */
export interface RequestScope {
  /** Undefined on public endpoints. */
  readonly actor: Actor | undefined;
  readonly log: Logger;
  now(): Date;
  /** Throws on public endpoints, which have no actor: use `services.db` with a system actor there. */
  inCompany<T>(work: (ctx: Ctx) => Promise<T>, options?: { readonly retry?: boolean }): Promise<T>;
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** One hot query in one round trip. */
  readOne<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** A cached value of the company (`ctx.cached`). */
  cached<T>(value: Cached<T>, options?: CacheRead): Promise<T>;
}

/** Context of a handler whose last transaction makes the answer. */
export interface OnceScope extends RequestScope {
  /** As `inCompany`. Sent again under its Idempotency-Key the request is not run, and has the first one's answer (decision 0299). */
  inCompanyOnce<T>(work: (ctx: Ctx) => Promise<T>, options?: { readonly retry?: boolean }): Promise<T | JsonText>;
  /** The same in a transaction of the system role, for the operator's calls. */
  inSystemOnce<T>(work: (tx: SystemTx) => Promise<T>): Promise<T | JsonText>;
}

export interface InTransaction {
  /** Default: `read` for GET, `write` else. A GET that changes something (opening marks as read) sets `write`. */
  readonly transaction?: "read" | "write";
  /** Retry after a deadlock: only when all effects are in the database. */
  readonly retry?: boolean;
}

/**
 * Mounts one endpoint of the contract: authorizes by its `access`, parses by its schemas (400 ERR_VALIDATION with
 * `details.fields`), opens the company's transaction, and writes the response with the serializer of its schema.
 */
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  api: Api,
  endpoint: Endpoint<P, Q, B, R>,
  handler: RequestScopeHandler<Endpoint<P, Q, B, R>>,
  options: { readonly transaction: "none" },
): void;
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  api: Api,
  endpoint: Endpoint<P, Q, B, R>,
  handler: OnceHandler<Endpoint<P, Q, B, R>>,
  options: { readonly transaction: "once" },
): void;
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  api: Api,
  endpoint: Endpoint<P, Q, B, R>,
  handler: Handler<Endpoint<P, Q, B, R>>,
  options?: InTransaction,
): void;
export function serve<E extends AnyEndpoint>(
  api: Api,
  endpoint: E,
  handler: Handler<E> | RequestScopeHandler<E> | OnceHandler<E>,
  options: InTransaction | { readonly transaction: "none" | "once" } = {},
): void {
  const { fastify, services, loadToken, loadApiKey } = api;
  const transaction = options.transaction ?? (endpoint.method === "GET" ? "read" : "write");
  if (endpoint.access.who === "public" && transaction !== "none") {
    throw new Error(`${endpoint.method} ${endpoint.path} is public: there is no company to open a transaction for`);
  }
  const serialize = createSerializer(endpoint.response, { isStrict: !services.config.isProduction });
  // Fastify sends bytes as well, whatever its type says.
  const serializer = serialize as (value: unknown) => string;
  const read = {
    query: compileGuestInput(endpoint.query ?? z.unknown()),
    body: compileGuestInput(endpoint.body ?? z.unknown()),
  };
  const run = handlerRunner<E>(handler, options, transaction);
  api.endpoints.push(endpoint);
  if (endpoint.method === "POST" && (transaction === "write" || transaction === "once")) {
    api.answeredOnce.add(endpoint);
  }

  async function respond(
    actor: Actor | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    multipart: Multipart | undefined,
  ) {
    try {
      const input = inputOf(endpoint, read, request, reply, multipart);
      const caller = { actor, address: callerAddress(request), userAgent: request.headers["user-agent"] ?? "" };
      const { result, statements } = await countStatements(() =>
        runForCaller(caller, () => run(requestScope(services, actor, input, serialize), input)),
      );
      services.metrics.httpStatements.observe({ method: endpoint.method, route: endpoint.path }, statements.length);
      return result;
    } finally {
      await multipart?.dispose();
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const caller = await authenticateRequest(request, endpoint, { ...services, loadToken, loadApiKey });
    const result = await recordingSupport(services, endpoint, caller?.actor, request, async (begin) => {
      if (caller) {
        authorize(caller, endpoint, services);
      }
      await begin();
      const multipart = await filesOf(request, endpoint, services, caller?.actor);
      return respond(caller?.actor, request, reply, multipart);
    });
    // A reply is thenable: awaiting one that was sent gives undefined.
    return result === reply || reply.sent
      ? reply
      : reply.type("application/json; charset=utf-8").serializer(serializer).send(result);
  }

  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: (request, reply) =>
      traced(
        () => ({
          name: `${endpoint.method} ${endpoint.path}`,
          kind: "server",
          attributes: {
            "http.request.method": endpoint.method,
            "http.route": endpoint.path,
            // The one of the log and of the answer's x-request-id.
            "prosa.request_id": request.id,
          },
        }),
        () => answer(request, reply),
      ),
  });
}

/**
 * What the support changes is written in the company's log before it is done: nothing is done unwritten. What it is refused is
 * written as well, so that the company sees what was tried (decision 0225). `answer` calls `begin` once it is authorized.
 */
async function recordingSupport<T>(
  { db, clock, limiter }: Services,
  { method, path }: AnyEndpoint,
  actor: Actor | undefined,
  request: FastifyRequest,
  answer: (begin: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (actor?.kind !== "user" || !actor.support) {
    return answer(() => Promise.resolve());
  }
  const { companyId, userId, name, support } = actor;
  const record = (action: "support.acted" | "support.refused", details?: Readonly<Record<string, unknown>>) =>
    recordAuditOf(
      { db: db.system },
      {
        companyId,
        now: clock.now(),
        actor: { kind: "support", userId, name },
        origin: { address: callerAddress(request), userAgent: request.headers["user-agent"] ?? "" },
      },
      {
        action,
        target: { type: "support", id: support.grantId, name: `${method} ${path}` },
        details: { path: request.url.split("?")[0], ...details },
      },
    );
  try {
    return await answer(() => (method === "GET" ? Promise.resolve() : record("support.acted")));
  } catch (error) {
    if (
      error instanceof AppError &&
      errorStatus[error.code] === 403 &&
      (method !== "GET" || isFirstRefusal(limiter, actor, request))
    ) {
      await record("support.refused", { error: error.code });
    }
    throw error;
  }
}

/** Screens ask by themselves for what the support may not read: one entry an hour and path says it. Counted per process. */
function isFirstRefusal({ limit }: RateLimiter, { sessionId }: UserActor, { url }: FastifyRequest): boolean {
  try {
    limit(`refused:${sessionId}:${url.split("?")[0]}`, { max: 1, perSeconds: 3_600 });
    return true;
  } catch {
    return false;
  }
}

/** Chooses once at start how the handler is called: with the scope alone, in a read or in a write transaction. */
function handlerRunner<E extends AnyEndpoint>(
  handler: Handler<E> | RequestScopeHandler<E> | OnceHandler<E>,
  options: InTransaction | { readonly transaction: "none" | "once" },
  transaction: "read" | "write" | "none" | "once",
): (scope: OnceScope, input: Input<E>) => Promise<unknown> {
  if (transaction === "none" || transaction === "once") {
    return handler as OnceHandler<E>;
  }
  const inside = handler as Handler<E>;
  const retry = "retry" in options && options.retry === true;
  return transaction === "read"
    ? (scope, input) => scope.read((ctx) => inside(ctx, input))
    : (scope, input) => scope.inCompanyOnce((ctx) => inside(ctx, input), { retry });
}

function requestScope(
  { db, clock, vault }: Services,
  actor: Actor | undefined,
  input: Input<AnyEndpoint>,
  serialize: Serialize,
): OnceScope {
  const { request } = input;
  const log = request.log as Logger;
  const scope = (): CompanyScope => {
    if (!actor) {
      throw new Error("A public endpoint has no company");
    }
    return { actor, companyId: actor.companyId, log, clock };
  };
  const inCompany: RequestScope["inCompany"] = (work, options) => db.inCompany({ ...scope(), ...options }, work);
  const tools = { vault, serialize };
  return {
    actor,
    log,
    now: () => clock.now(),
    inCompany,
    inCompanyOnce(work, options) {
      const keyed = readKeyedRequest(request, actor, input);
      return keyed
        ? inCompany((ctx) => answerOnce(ctx.raw, keyed, tools, () => work(ctx)), options)
        : inCompany(work, options);
    },
    inSystemOnce(work) {
      const keyed = readKeyedRequest(request, actor, input);
      return keyed ? db.systemTx((tx) => answerOnce(tx.raw, keyed, tools, () => work(tx))) : db.systemTx(work);
    },
    read: (work) => db.read(scope(), work),
    readOne: (statement, values) => db.readOne(scope().companyId, statement, values),
    cached: (value, cacheRead) => db.cached(scope(), value, cacheRead),
  };
}

/** Rate limit of requests with files, by user or API token. Far more than a person pastes. */
const uploads = { max: 120, perSeconds: 60 };

async function filesOf(
  request: FastifyRequest,
  { files }: AnyEndpoint,
  services: Services,
  actor: Actor | undefined,
): Promise<Multipart | undefined> {
  if (!files || !request.isMultipart()) {
    if (files?.required) {
      throw validationError({ [files.field]: "Required" });
    }
    return undefined;
  }
  await enforceSharedLimit(services, `upload:${limitKeyOf(actor) ?? addressBlock(callerAddress(request))}`, uploads);
  const { config } = services;
  return readMultipart(request, files, { uploadBytes: config.limits.uploadBytes, tempDir: config.dataDir });
}

function limitKeyOf(actor: Actor | undefined): string | undefined {
  switch (actor?.kind) {
    case "user":
      return `user:${actor.userId}`;
    case "line":
      return `line:${actor.connectionId}`;
    default:
      return undefined;
  }
}

function inputOf<E extends AnyEndpoint>(
  endpoint: E,
  read: Readonly<Record<"query" | "body", GuestInput>>,
  request: FastifyRequest,
  reply: FastifyReply,
  multipart: Multipart | undefined,
): Input<E> {
  // Bodies are checked while they are parsed; a URL can contain U+0000 as %00.
  if (request.url.includes("%")) {
    refuseUnstorableText({ ...(request.params as object), ...(request.query as object) });
  }
  const { params, query, body } = endpoint;
  const { timeZone } = companyLocaleOfRequest(request);
  const given = read.body(multipart?.body ?? request.body ?? {}, timeZone);
  return {
    params: (params && parseInput(params, request.params)) as ParamsOf<E>,
    query: (query && parseInput(query, read.query(readGuestQuery(request.query), timeZone))) as QueryOf<E>,
    body: (body && parseInput(body, given)) as BodyOf<E>,
    files: multipart?.files ?? [],
    request,
    reply,
  };
}
