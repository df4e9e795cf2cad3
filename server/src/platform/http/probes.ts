import { setTimeout } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isSameSecret } from "../auth/index.ts";
import { AppError } from "../ctx.ts";
import type { Metrics } from "../metrics/index.ts";
import type { Drain } from "./connections/index.ts";
import { bearerOf } from "./authentication.ts";

/** One thing that must work before requests are sent here; throws or says why not. */
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
  /** A check that does not answer within it has failed: whoever asks is told in seconds, not once the database is back. */
  readonly timeoutMs?: number;
}

/** /health (the process lives), /ready (it can serve), /version, /metrics (Prometheus). */
export function serveProbes(app: FastifyInstance, deps: ProbeDeps): void {
  const { drain, checks, metrics, metricsToken, version, timeoutMs: patienceMs = 5_000 } = deps;
  app.get("/health", async () => ({ status: "ok" }));

  app.get("/ready", async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async (check) => [check.name, await passes(check, patienceMs)] as const),
    );
    const isReady = !drain.isDraining && results.every(([, isWell]) => isWell);
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

async function passes({ check }: ReadinessCheck, patienceMs: number): Promise<boolean> {
  const tooLate = new AbortController();
  try {
    return await Promise.race([check(), setTimeout(patienceMs, false, { signal: tooLate.signal })]);
  } catch {
    return false;
  } finally {
    tooLate.abort();
  }
}

/** What a proxy tells of whom it asks for: then it is the proxy that is of this machine. */
const forwardingHeader = /^(forwarded|via|x-forwarded(-.+)?|x-original-.+|x-envoy-.+|x-nginx-.+|x-.*ip|.+-ip)$/;
/** A browser that a name of its own leads here (DNS rebinding), and most proxies, ask for another host. */
const ownHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** By somebody who sits at this machine, and nobody else by way of them. */
function isLocalRequest(headers: FastifyRequest["headers"]): boolean {
  return ownHost.test(headers.host ?? "") && !Object.keys(headers).some((name) => forwardingHeader.test(name));
}

function isThisMachine(address: string | undefined): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address ?? "");
}
