import { setTimeout as sleep } from "node:timers/promises";
import type { MeasuredServer } from "./load.ts";
import type { Change, SocketAnswer } from "./socket-clients.ts";
import type { Followers } from "./socket-followers.ts";
import { changeStatus, pendingTickets } from "./status-changes.ts";

const CALLERS = 4;
const SECONDS = 10;
/** Longer than the lag may be. */
const PATIENCE_MS = 15_000;

/**
 * Four callers change tickets as fast as the server answers, each its own ones in turn, while the sockets follow. A change is
 * delivered when every socket has its version of the ticket or a newer one.
 */
export async function changeInABurst(
  { url }: MeasuredServer,
  token: string,
  followers: Followers,
): Promise<[what: string, value: number][]> {
  const ids = await pendingTickets(url, token);
  const before = await followers.more(0);
  const changes: Change[] = [];
  const began = performance.now();
  const endAt = began + SECONDS * 1_000;

  async function call(mine: readonly number[]): Promise<void> {
    for (let at = 0; performance.now() < endAt; at += 1) {
      const status = Math.floor(at / mine.length) % 2 === 0 ? "open" : "pending";
      changes.push(await changeStatus(url, token, mine[at % mine.length]!, status));
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, at) => call(ids.filter((_id, of) => of % CALLERS === at))));
  const accepted = changes.length / ((performance.now() - began) / 1_000);

  const after = await delivered(followers, changes);
  const lastAt = Math.max(...changes.map(({ answeredAt }) => answeredAt)) - performance.timeOrigin;
  const deliveredBy = lastAt + percentile(after.lags, 1);
  console.log(`a burst of ${changes.length} changes was ${after.packets - before.packets} packets`);
  return [
    ["burst to 1,000 sockets: accepted changes/s", accepted],
    ["burst to 1,000 sockets: delivered changes/s", (changes.length - after.missing) / ((deliveredBy - began) / 1_000)],
    ["burst to 1,000 sockets: changes not delivered", after.missing],
    ["burst to 1,000 sockets: lag ms, p50", percentile(after.lags, 0.5)],
    ["burst to 1,000 sockets: lag ms, p99", percentile(after.lags, 0.99)],
  ];
}

/** Waits until every socket has every change, or the patience is over. */
async function delivered(followers: Followers, changes: readonly Change[]): Promise<SocketAnswer> {
  for (const endAt = performance.now() + PATIENCE_MS; ;) {
    const answer = await followers.lagsOf(changes);
    if (answer.missing === 0 || performance.now() > endAt) {
      return answer;
    }
    await sleep(200);
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
