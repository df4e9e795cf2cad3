import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { ErrorBody, ErrorCode } from "@prosa/contract";
import { compile } from "@fastify/proxy-addr";
import type { TrustProxy } from "../../config/index.ts";
import { addressBlock } from "../../net/index.ts";

export interface ConnectionCaps {
  readonly total: number;
  readonly perAddress: number;
}

/** The rest of the descriptors is for the database, files and WhatsApp lines. */
const SHARE_OF_DESCRIPTORS = 0.75;

/** The configured caps, limited by the descriptors of the process; one address gets at most half of the connections. */
export function capsWithin(configured: ConnectionCaps, descriptors: number): ConnectionCaps {
  const total = Math.max(1, Math.min(configured.total, Math.floor(descriptors * SHARE_OF_DESCRIPTORS)));
  return { total, perAddress: Math.max(1, Math.min(configured.perAddress, Math.ceil(total / 2))) };
}

/** Maximum of file descriptors of the process (`ulimit -Hn`). Infinity on systems without such a limit. */
export function openableDescriptors(): number {
  // Otherwise the report resolves the host names of all peers.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) && soft > 0 ? soft : Infinity;
}

/** Returns a test for trusted reverse proxies, whose address all their clients share. */
export function proxyTest(trust: TrustProxy): (address: string) => boolean {
  if (typeof trust === "function") {
    return (address) => trust(address, 0);
  }
  if (trust === false) {
    return () => false;
  }
  const isTrusted = compile(trust.split(",").map((part) => part.trim()));
  return (address) => isTrusted(address, 0);
}

/** Refuses connections beyond the caps: 429 for one address, 503 in total. WebSockets count too. */
export function capConnections(server: Server, caps: ConnectionCaps, isProxy: (address: string) => boolean): void {
  const perAddress = new Map<string, number>();
  let total = 0;
  // Refused connections must not reach the HTTP server, which would read requests from them.
  const accept = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");

  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    const block = isProxy(remoteAddress) ? undefined : addressBlock(remoteAddress);
    const own = block === undefined ? 0 : (perAddress.get(block) ?? 0);
    if (own >= caps.perAddress || total >= caps.total) {
      refuse(socket, own >= caps.perAddress ? "ERR_TOO_MANY_REQUESTS" : "ERR_UNAVAILABLE");
      return;
    }
    count(block, 1);
    socket.once("close", () => count(block, -1));
    accept.forEach((listener) => listener.call(server, socket));
  });

  function count(block: string | undefined, change: 1 | -1): void {
    total += change;
    if (block === undefined) {
      return;
    }
    const left = (perAddress.get(block) ?? 0) + change;
    if (left > 0) {
      perAddress.set(block, left);
    } else {
      perAddress.delete(block);
    }
  }
}

const lines = {
  ERR_TOO_MANY_REQUESTS: "429 Too Many Requests",
  ERR_UNAVAILABLE: "503 Service Unavailable",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Responds without reading the request and closes at once, because descriptors are scarce. */
function refuse(socket: Socket, error: keyof typeof lines): void {
  const body = JSON.stringify({ error, requestId: randomUUID() } satisfies ErrorBody);
  socket.on("error", () => undefined);
  socket.write(
    `HTTP/1.1 ${lines[error]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nRetry-After: 10\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
