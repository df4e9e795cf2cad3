import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { Server } from "node:http";
import cookie from "@fastify/cookie";
import cors from "@fastify/cors";
import multipart from "@fastify/multipart";
import { sessionRules } from "@prosa/contract";
import type { AnyEndpoint } from "@prosa/contract";
import Fastify, { LogController } from "fastify";
import type { FastifyBaseLogger, FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { LoadApiKey, LoadToken } from "../auth/index.ts";
import { AppError } from "../ctx.ts";
import type { Services } from "../services.ts";
import type { IsFileVisible } from "../storage/index.ts";
import {
  createDrain,
  capConnections,
  capsWithin,
  openableDescriptors,
  proxyTest,
  bodyLimits,
  abortSlowBodies,
} from "./connections/index.ts";
import type { Drain } from "./connections/index.ts";
import { sendError, handleErrors, refuseMalformedRequest, addSecurityHeaders } from "./responses/index.ts";
import { decorateLocale, parseJsonBodies } from "./requests/index.ts";
import { limitTokenGuesses } from "./limits/index.ts";
import { serveMedia, isNavigation, serveSourceOffer } from "./files/index.ts";
import { observeRequests } from "./request-metrics.ts";
import { serveDocs } from "./openapi/index.ts";
import { serveProbes } from "./probes.ts";
import type { ReadinessCheck } from "./probes.ts";
import type { Api } from "./serve.ts";
import type { WebApp } from "./files/index.ts";

export interface HttpOptions {
  readonly services: Services;
  readonly webApp: WebApp;
  readonly version: string;
  readonly checks: readonly ReadinessCheck[];
  readonly loadToken: LoadToken | undefined;
  readonly loadApiKey: LoadApiKey | undefined;
  /** May a file still be served to holders of its URL? */
  readonly isFileVisible: IsFileVisible;
  /** Where the page of this path leads to instead; undefined: it is served. */
  readonly landing: (path: string) => Promise<string | undefined>;
  /** The newest position in the event stream that this process has read; undefined before the first. */
  readonly eventCursor: () => string | undefined;
  /** Mounts every feature's routes. */
  readonly routes: (api: Api) => void | Promise<void>;
}

export interface HttpServer {
  readonly fastify: FastifyInstance;
  /** Mounted endpoints, for OpenAPI and tests. */
  readonly endpoints: readonly AnyEndpoint[];
  readonly drain: Drain;
}

/** API, docs, probes, media and the web app as one server, ready to listen or to be injected. */
export async function createHttpServer(options: HttpOptions): Promise<HttpServer> {
  const { services, webApp, version, checks, isFileVisible, routes } = options;
  const { config, log, metrics } = services;
  const { requestSeconds, connections } = config.limits;
  await mkdir(config.dataDir, { recursive: true });

  const settings: FastifyHttpOptions<Server> = {
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: () => randomUUID(), // Node draws the random bytes in batches
    bodyLimit: config.limits.bodyBytes,
    trustProxy: config.trustProxy,
    // The specification writes some calls with a trailing slash, some both ways: GET /users/, GET /whatsapp/?session=0.
    routerOptions: { maxParamLength: 1_000, ignoreTrailingSlash: true },
    // abortSlowBodies limits the time of bodies.
    requestTimeout: 0,
    http: { headersTimeout: requestSeconds * 1000, connectionsCheckingInterval: Math.min(5_000, requestSeconds * 200) },
    clientErrorHandler: refuseMalformedRequest,
    // Idle connections are closed at shutdown instead of awaited.
    forceCloseConnections: "idle",
    frameworkErrors(error, request, reply) {
      sendError(
        new AppError("ERR_VALIDATION", { message: "Malformed request", reason: error.message }),
        request,
        reply,
      );
    },
  };
  const fastify = Fastify(settings);
  const drain = createDrain(fastify);
  abortSlowBodies(fastify.server, bodyLimits(requestSeconds));
  capConnections(fastify.server, capsWithin(connections, openableDescriptors()), proxyTest(config.trustProxy));

  handleErrors(fastify, services.freeSpace);
  observeRequests(fastify, metrics);
  addSecurityHeaders(fastify, { isHttps: config.publicUrl?.startsWith("https://") ?? false });
  parseJsonBodies(fastify);
  decorateLocale(fastify);
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // A page does not need the database: without it the app is served, and says so itself.
    const elsewhere = await options.landing(request.url.split("?", 1)[0] ?? "/").catch(() => undefined);
    return elsewhere === undefined
      ? webApp.sendPage(request, reply)
      : reply.header("cache-control", "no-store").redirect(elsewhere, 302);
  };
  // Pages before routes: both have the same URLs.
  fastify.addHook("onRequest", async (request, reply) => {
    if (isNavigation(request) && request.routeOptions.url !== undefined) {
      await sendPage(request, reply);
    }
  });
  // A browser that opens its socket with the cursor of its sign-in is sent what happened since, and fetches nothing twice.
  fastify.addHook("onSend", async (request, reply) => {
    const cursor = request.url.startsWith("/auth/") && reply.statusCode === 200 ? options.eventCursor() : undefined;
    if (cursor !== undefined) {
      reply.header(sessionRules.eventCursorHeader, cursor);
    }
  });
  await fastify.register(cors, {
    origin: [...config.frontendUrls, ...(config.publicUrl === undefined ? [] : [config.publicUrl])].map(
      (url) => new URL(url).origin,
    ),
    credentials: true,
    methods: ["GET", "POST", "PUT", "DELETE"],
    exposedHeaders: ["x-request-id", "retry-after", "content-disposition"],
    maxAge: 600,
  });
  await fastify.register(cookie);
  // readMultipart enforces the limit itself, so that the error names the file.
  await fastify.register(multipart, { throwFileSizeLimit: false });

  fastify.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    // hasFile first: awaiting a sent reply gives undefined, so sendFile could not report a missing file.
    if (isRead && webApp.hasFile(request)) {
      return webApp.sendFile(request, reply);
    }
    return isNavigation(request) ? sendPage(request, reply) : sendError(new AppError("ERR_NOT_FOUND"), request, reply);
  });

  serveProbes(fastify, { drain, checks, metrics, metricsToken: config.metricsToken, version });
  serveSourceOffer(fastify, config.sourceUrl);
  const loadToken = options.loadToken && limitTokenGuesses(options.loadToken, services.limiter);
  const loadApiKey = options.loadApiKey && limitTokenGuesses(options.loadApiKey, services.limiter);
  serveMedia(fastify, { ...services, loadToken, loadApiKey, isFileVisible });
  const api: Api = { fastify, services, loadToken, loadApiKey, endpoints: [], answeredOnce: new Set() };
  await routes(api);
  if (config.hasApiDocs) {
    await serveDocs(fastify, api, () => ({ version, url: services.publicUrl() }));
  }
  await fastify.ready();
  return { fastify, drain, endpoints: api.endpoints };
}
