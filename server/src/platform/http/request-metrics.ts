import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics/index.ts";
import { routeOf } from "./route-name.ts";

const SLOW_MS = 1_000;

/** Measures and logs each request by its route pattern: reads at debug, writes at info, slow ones as warnings. */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = routeOf(request);
    const { method } = request;
    const { statusCode, elapsedTime } = reply;
    metrics.httpSeconds.observe({ method, route, status: `${Math.floor(statusCode / 100)}xx` }, elapsedTime / 1000);

    const level =
      elapsedTime > SLOW_MS ? "warn" : method === "GET" || method === "HEAD" || method === "OPTIONS" ? "debug" : "info";
    request.log[level]({ method, route, status: statusCode, ms: Math.round(elapsedTime * 10) / 10 }, "request");
  });
}
