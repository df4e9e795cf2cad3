import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Change, SocketAnswer, SocketOrder } from "./socket-clients.ts";

/** Sockets of one user that follow the lists of open and waiting tickets and the bell, in a process of their own. */
export interface Followers {
  /** Connects so many more; their packets so far. */
  more(count: number): Promise<SocketAnswer>;
  /** How late each of these changes reached them. */
  lagsOf(changes: readonly Change[]): Promise<SocketAnswer>;
  stop(): void;
}

export function followTickets(url: string, token: string): Followers {
  const child = fork(join(import.meta.dirname, "socket-clients.ts"));
  const joins = [["joinTickets", "open"], ["joinTickets", "pending"], ["joinNotification"]] as const;

  async function answerTo(order: SocketOrder): Promise<SocketAnswer> {
    child.send(order);
    const gone = once(child, "exit").then(() => Promise.reject(new Error("The sockets could not connect")));
    const [answer] = (await Promise.race([once(child, "message"), gone])) as [SocketAnswer];
    return answer;
  }

  return {
    more: (count) => answerTo({ url, token, more: count, joins }),
    lagsOf: (changes) => answerTo({ changes }),
    stop: () => void child.kill(),
  };
}
