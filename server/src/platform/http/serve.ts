import type { AnyEndpoint, BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from "@prosa/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { LoadToken } from "../auth/index.ts";
import type { Actor, Ctx } from "../ctx.ts";
import { countStatements } from "../db/index.ts";
import type { Cached, CacheRead, CompanyScope, Statement } from "../db/index.ts";
import type { Logger } from "../log/index.ts";
import { addressBlock } from "../net/index.ts";
import type { Services } from "../services.ts";
import { authorizeRequest } from "./authentication.ts";
import { validationError, parseInput, refuseUnstorableText, callerAddress, readMultipart } from "./requests/index.ts";
import { compileResponse } from "./responses/index.ts";
import type { JsonText, ResponseValue } from "./responses/index.ts";
import { enforceSharedLimit } from "./limits/index.ts";
import type { Multipart, Upload } from "./requests/index.ts";

/** What routes are mounted on: `serve(api, contract.tickets.list, handler)`. */
export interface Api {
  readonly fastify: FastifyInstance;
  readonly services: Services;
  /** Whose is a connection's own token? Answered by the feature of the external API. */
  readonly loadToken: LoadToken | undefined;
  /** Everything served so far, for OpenAPI and the walk over every route. */
  readonly endpoints: AnyEndpoint[];
}

/** What came in, parsed by the contract. */
export interface Input<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Temporary: gone after the answer. */
  readonly files: readonly Upload[];
  readonly request: FastifyRequest;
  /** For cookies, status and headers. A handler that sends a stream or redirects by itself returns the reply. */
  readonly reply: FastifyReply;
}

type Result<E> = Promise<ResponseValue<ResponseOf<E>> | JsonText | FastifyReply>;

/** Inside one transaction of the actor's company; the answer leaves after COMMIT. */
export type Handler<E> = (ctx: Ctx, input: Input<E>) => Result<E>;

/** Without a transaction of its own: for public calls, hot single reads, and verbs that need several transactions. */
export type RequestScopeHandler<E> = (edge: RequestScope, input: Input<E>) => Result<E>;

/** The door of a request that opens its own transactions. */
export interface RequestScope {
  /** Undefined on public endpoints. */
  readonly actor: Actor | undefined;
  readonly log: Logger;
  now(): Date;
  /** Throws where nobody is signed in (public endpoints): use `services.db` with an actor of your own there. */
  inCompany<T>(work: (ctx: Ctx) => Promise<T>, options?: { readonly retry?: boolean }): Promise<T>;
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** One hot query in one round trip. */
  readOne<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** Something small of the company, from memory while no event says otherwise. */
  cached<T>(what: Cached<T>, asked?: CacheRead): Promise<T>;
}

export interface InTransaction {
  /** Default: `read` for GET, `write` else. A GET that changes something (opening marks as read) says `write`. */
  readonly transaction?: "read" | "write";
  /** Run again after a deadlock: only where all effects are in the database. */
  readonly retry?: boolean;
}

/**
 * Mounts one endpoint of the contract: lets in by its `access`, parses by its schemas (400 ERR_VALIDATION with
 * `details.fields`), opens the company's transaction, and writes the answer with a serialiser compiled at start.
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
  handler: Handler<Endpoint<P, Q, B, R>>,
  options?: InTransaction,
): void;
export function serve<E extends AnyEndpoint>(
  api: Api,
  endpoint: E,
  handler: Handler<E> | RequestScopeHandler<E>,
  options: InTransaction | { readonly transaction: "none" } = {},
): void {
  const { fastify, services } = api;
  const transaction = options.transaction ?? (endpoint.method === "GET" ? "read" : "write");
  if (endpoint.access.who === "public" && transaction !== "none") {
    throw new Error(`${endpoint.method} ${endpoint.path} is public: there is no company to open a transaction for`);
  }
  const serialize = compileResponse(endpoint.response, { isStrict: !services.config.isProduction });
  const run = handlerRunner<E>(handler, options, transaction);
  api.endpoints.push(endpoint);

  async function answer(
    actor: Actor | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    multipart: Multipart | undefined,
  ) {
    try {
      const input = inputOf(endpoint, request, reply, multipart);
      const { result, statements } = await countStatements(() => run(requestScope(services, actor, request), input));
      services.metrics.httpStatements.observe({ method: endpoint.method, route: endpoint.path }, statements.length);
      return result;
    } finally {
      await multipart?.dispose();
    }
  }

  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    async handler(request, reply) {
      const actor = await authorizeRequest(request, endpoint.access, { ...services, loadToken: api.loadToken });
      const multipart = await filesOf(request, endpoint, services, actor);
      const result = await answer(actor, request, reply, multipart);
      // an answer that streams is thenable: awaiting it leaves nothing but that it was sent
      return result === reply || reply.sent
        ? reply
        : reply.type("application/json; charset=utf-8").serializer(serialize).send(result);
    },
  });
}

/** One of three ways to call the handler, chosen once at start. */
function handlerRunner<E extends AnyEndpoint>(
  handler: Handler<E> | RequestScopeHandler<E>,
  options: InTransaction | { readonly transaction: "none" },
  transaction: "read" | "write" | "none",
): (edge: RequestScope, input: Input<E>) => Promise<unknown> {
  if (transaction === "none") {
    return handler as RequestScopeHandler<E>;
  }
  const inside = handler as Handler<E>;
  const retry = "retry" in options && options.retry === true;
  return transaction === "read"
    ? (edge, input) => edge.read((ctx) => inside(ctx, input))
    : (edge, input) => edge.inCompany((ctx) => inside(ctx, input), { retry });
}

function requestScope({ db, clock }: Services, actor: Actor | undefined, request: FastifyRequest): RequestScope {
  const log = request.log as Logger;
  const scope = (): CompanyScope => {
    if (!actor) {
      throw new Error("A public endpoint has no company");
    }
    return { actor, companyId: actor.companyId, log, clock };
  };
  return {
    actor,
    log,
    now: () => clock.now(),
    inCompany: (work, options) => db.inCompany({ ...scope(), ...options }, work),
    read: (work) => db.read(scope(), work),
    readOne: (statement, values) => db.readOne(scope().companyId, statement, values),
    cached: (what, asked) => db.cached(scope(), what, asked),
  };
}

/** Requests with files of one person, or of one connection's token: far more than hands paste. */
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
  request: FastifyRequest,
  reply: FastifyReply,
  multipart: Multipart | undefined,
): Input<E> {
  // Bodies were looked at while they were parsed; addresses can hide U+0000 as %00.
  if (request.url.includes("%")) {
    refuseUnstorableText({ ...(request.params as object), ...(request.query as object) });
  }
  const { params, query, body } = endpoint;
  const given = multipart?.body ?? request.body ?? {};
  return {
    params: (params && parseInput(params, request.params)) as ParamsOf<E>,
    query: (query && parseInput(query, request.query)) as QueryOf<E>,
    body: (body && parseInput(body, given)) as BodyOf<E>,
    files: multipart?.files ?? [],
    request,
    reply,
  };
}
