import type { FastifyRequest } from "fastify";

/** The route pattern, for logs and metrics. Never the URL itself, which may contain a code, a token or a password. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "(unknown)";
}
