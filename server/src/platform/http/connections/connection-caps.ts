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

/** Database, files and WhatsApp lines open descriptors too. */
const SHARE_OF_DESCRIPTORS = 0.75;

/** The caps that the settings ask for, as far as the process has descriptors; no address takes more than half of all. */
export function capsWithin(wanted: ConnectionCaps, descriptors: number): ConnectionCaps {
  const total = Math.max(1, Math.min(wanted.total, Math.floor(descriptors * SHARE_OF_DESCRIPTORS)));
  return { total, perAddress: Math.max(1, Math.min(wanted.perAddress, Math.ceil(total / 2))) };
}

/** How many files and sockets the process may open: `ulimit -Hn`. Infinity where the system has no such limit. */
export function openableDescriptors(): number {
  // Otherwise it looks up the names of every peer.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) && soft > 0 ? soft : Infinity;
}

/** Whether the settings name this peer as a reverse proxy: everybody has its address then. */
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

/** Refuses connections beyond the caps: 429 where one address has too many, 503 where all together are. WebSockets count too. */
export function capConnections(server: Server, caps: ConnectionCaps, isProxy: (address: string) => boolean): void {
  const perAddress = new Map<string, number>();
  let total = 0;
  // What is refused never reaches the HTTP server behind, which would read requests from it.
  const accept = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");

  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    const who = isProxy(remoteAddress) ? undefined : addressBlock(remoteAddress);
    const own = who === undefined ? 0 : (perAddress.get(who) ?? 0);
    if (own >= caps.perAddress || total >= caps.total) {
      refuse(socket, own >= caps.perAddress ? "ERR_TOO_MANY_REQUESTS" : "ERR_UNAVAILABLE");
      return;
    }
    count(who, 1);
    socket.once("close", () => count(who, -1));
    accept.forEach((listener) => listener.call(server, socket));
  });

  function count(who: string | undefined, change: 1 | -1): void {
    total += change;
    if (who === undefined) {
      return;
    }
    const left = (perAddress.get(who) ?? 0) + change;
    if (left > 0) {
      perAddress.set(who, left);
    } else {
      perAddress.delete(who);
    }
  }
}

const lines = {
  ERR_TOO_MANY_REQUESTS: "429 Too Many Requests",
  ERR_UNAVAILABLE: "503 Service Unavailable",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Answered without being read. Not waited for: a descriptor is what there is too little of. */
function refuse(socket: Socket, error: keyof typeof lines): void {
  const body = JSON.stringify({ error, requestId: randomUUID() } satisfies ErrorBody);
  socket.on("error", () => undefined);
  socket.write(
    `HTTP/1.1 ${lines[error]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nRetry-After: 10\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
