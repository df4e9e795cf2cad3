import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** Who asks, as far as the proxies that we trust say; the connection's own address where what they say is none. */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, "ip" | "socket">): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? "") : ip;
}
