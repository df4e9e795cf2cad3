/** Client sockets in a process of their own: they join rooms, count packets, and report the count on request. */
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";

export interface SocketOrder {
  readonly url: string;
  readonly token: string;
  /** How many sockets to add; 0 only requests the count. */
  readonly more: number;
  readonly joins: readonly (readonly [string, string?])[];
}

export interface SocketAnswer {
  readonly connected: number;
  /** Packets so far, over all sockets. */
  readonly packets: number;
}

const AT_ONCE = 50;
const sockets: Socket[] = [];
let packets = 0;

async function follow({ url, token, more, joins }: SocketOrder): Promise<SocketAnswer> {
  for (let made = 0; made < more; made += AT_ONCE) {
    const few = Array.from({ length: Math.min(AT_ONCE, more - made) }, () => connect(url, token, joins));
    await Promise.all(few);
  }
  return { connected: sockets.length, packets };
}

function connect(url: string, token: string, joins: SocketOrder["joins"]): Promise<void> {
  const socket = io(url, { transports: ["websocket"], forceNew: true, reconnection: false, auth: { token, joins } });
  sockets.push(socket);
  socket.onAny((event: string) => (packets += event === "ready" ? 0 : 1));
  return new Promise((resolve, reject) => {
    socket.once("ready", () => resolve());
    socket.once("connect_error", reject);
  });
}

process.on("message", (order: SocketOrder) => {
  void follow(order).then((answer) => process.send?.(answer));
});
