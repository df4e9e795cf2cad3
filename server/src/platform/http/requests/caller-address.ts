import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** The client address of trusted proxies (X-Forwarded-For); the address of the connection when that is invalid. */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, "ip" | "socket">): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? "") : ip;
}
