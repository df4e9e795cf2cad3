import { setTimeout } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isSameSecret } from "../auth/index.ts";
import { AppError } from "../ctx.ts";
import type { Metrics } from "../metrics/index.ts";
import type { Drain } from "./connections/index.ts";
import { bearerOf } from "./authentication.ts";

/** A readiness check of one dependency; fails by false or an error. */
export interface ReadinessCheck {
  readonly name: string;
  check(): Promise<boolean> | boolean;
}

export interface ProbeDeps {
  readonly drain: Drain;
  readonly checks: readonly ReadinessCheck[];
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly version: string;
  /** A check that takes longer fails, so that the probe responds while the database hangs. */
  readonly timeoutMs?: number;
}

/** /health (the process lives), /ready (it can serve), /version, /metrics (Prometheus). */
export function serveProbes(app: FastifyInstance, deps: ProbeDeps): void {
  const { drain, checks, metrics, metricsToken, version, timeoutMs = 5_000 } = deps;
  app.get("/health", async () => ({ status: "ok" }));

  app.get("/ready", async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async (check) => [check.name, await passes(check, timeoutMs)] as const),
    );
    const isReady = !drain.isDraining && results.every(([, hasPassed]) => hasPassed);
    return reply.code(isReady ? 200 : 503).send({
      status: drain.isDraining ? "stopping" : isReady ? "ready" : "not ready",
      checks: Object.fromEntries(results),
    });
  });

  app.get("/version", async () => ({ version }));

  app.get("/metrics", async (request, reply) => {
    const isAllowed =
      metricsToken === undefined
        ? isThisMachine(request.socket.remoteAddress) && isLocalRequest(request.headers)
        : isSameSecret(bearerOf(request) ?? "", metricsToken);
    if (!isAllowed) {
      throw new AppError("ERR_NO_PERMISSION");
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

async function passes({ check }: ReadinessCheck, timeoutMs: number): Promise<boolean> {
  const timeout = new AbortController();
  try {
    return await Promise.race([check(), setTimeout(timeoutMs, false, { signal: timeout.signal })]);
  } catch {
    return false;
  } finally {
    timeout.abort();
  }
}

/** Headers of proxies: a local connection with one of them comes from a proxy, not from a local user. */
const forwardingHeader = /^(forwarded|via|x-forwarded(-.+)?|x-original-.+|x-envoy-.+|x-nginx-.+|x-.*ip|.+-ip)$/;
/** Local host names: DNS rebinding and most proxies send another Host header. */
const ownHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** True when the request comes from this machine itself and was not forwarded. */
function isLocalRequest(headers: FastifyRequest["headers"]): boolean {
  return ownHost.test(headers.host ?? "") && !Object.keys(headers).some((name) => forwardingHeader.test(name));
}

function isThisMachine(address: string | undefined): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address ?? "");
}
