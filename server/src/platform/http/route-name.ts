import type { FastifyRequest } from "fastify";

/** The route's pattern, for logs and metrics. Never the address itself: it may carry a code, a token or a password. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "(unknown)";
}
