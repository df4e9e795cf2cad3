/**
 * Client sockets in a process of their own: they join rooms and count packets. Every tenth also notes when it got which
 * version of a ticket; the others do not parse what they get, so that this process does not compete with the server.
 */
import { openCheapSocket } from "./cheap-socket.ts";

export type SocketOrder =
  | {
      readonly url: string;
      readonly token: string;
      /** How many sockets to add; 0 only requests the count. */
      readonly more: number;
      readonly joins: readonly (readonly [string, string?])[];
    }
  | { readonly changes: readonly Change[] };

/** A change that the server has answered; times in ms since 1970. */
export interface Change {
  readonly ticketId: number;
  readonly version: number;
  readonly answeredAt: number;
}

export interface SocketAnswer {
  readonly connected: number;
  /** Packets so far, over all sockets. */
  readonly packets: number;
  /** For `changes`: how long after the answer each socket had this version of the ticket or a newer one. */
  readonly lags: readonly number[];
  /** Changes that some socket has not got yet. */
  readonly missing: number;
}

interface Arrival {
  readonly version: number;
  readonly at: number;
}

const AT_ONCE = 50;
const LISTENING = 10;
let sockets = 0;
const arrivals: Map<number, Arrival[]>[] = [];
let packets = 0;

async function connectMore({ url, token, more, joins }: Extract<SocketOrder, { more: number }>): Promise<SocketAnswer> {
  for (let made = 0; made < more; made += AT_ONCE) {
    const few = Array.from({ length: Math.min(AT_ONCE, more - made) }, () => connect(url, token, joins));
    await Promise.all(few);
  }
  return { connected: sockets, packets, lags: [], missing: 0 };
}

async function connect(url: string, token: string, joins: readonly (readonly [string, string?])[]): Promise<void> {
  sockets += 1;
  const note = sockets % LISTENING === 0 ? noteArrivals() : undefined;
  await openCheapSocket(url, { token, joins }, (text) => {
    packets += 1;
    note?.(text());
  });
}

function noteArrivals(): (text: string) => void {
  const mine = new Map<number, Arrival[]>();
  arrivals.push(mine);
  return (text) => {
    const [, payload] = JSON.parse(text) as [
      string,
      { readonly ticket?: { readonly id: number; readonly version: number } },
    ];
    if (payload.ticket) {
      const { id, version } = payload.ticket;
      const earlier = mine.get(id) ?? [];
      earlier.push({ version, at: now() });
      mine.set(id, earlier);
    }
  };
}

function lagsOf(changes: readonly Change[]): SocketAnswer {
  const lags: number[] = [];
  let missing = 0;
  for (const { ticketId, version, answeredAt } of changes) {
    const found = arrivals.map((mine) => mine.get(ticketId)?.find((arrival) => arrival.version >= version));
    missing += found.includes(undefined) ? 1 : 0;
    lags.push(...found.flatMap((arrival) => (arrival ? Math.max(0, arrival.at - answeredAt) : [])));
  }
  return { connected: sockets, packets, lags, missing };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

process.on("message", (order: SocketOrder) => {
  const answer = "changes" in order ? Promise.resolve(lagsOf(order.changes)) : connectMore(order);
  void answer.then((result) => process.send?.(result));
});
