import { setTimeout as sleep } from "node:timers/promises";
import { cpuOf } from "./cpu.ts";
import type { MeasuredServer } from "./load.ts";
import { signIn } from "./calls.ts";
import type { Change } from "./socket-clients.ts";
import { changeInABurst, percentile } from "./socket-burst.ts";
import { followTickets } from "./socket-followers.ts";
import { changeStatus, pendingTickets } from "./status-changes.ts";

const UPDATES = 60;
const PAUSE_MS = 50;

/**
 * What one ticket update costs the server when 200 and 1,000 sockets may see it, and when 1,000 may not: the CPU of a
 * status change with them, less that of the same change with nobody connected.
 */
export async function measureSockets(subject: MeasuredServer): Promise<[what: string, value: number][]> {
  const admin = await signIn(subject.url, "large1@example.com");
  const stranger = await signIn(subject.url, "small1@example.com");
  const id = (await pendingTickets(subject.url, admin))[0]!;
  const seeing = followTickets(subject.url, admin);
  const others = followTickets(subject.url, stranger);
  const each = () => pacedUpdates(subject, admin, id);

  try {
    await each(); // warm
    const { cpuMs: alone } = await each();
    const quiet = await others.more(1_000);
    const { cpuMs: unseen } = await each();
    const leaked = (await others.more(0)).packets - quiet.packets;
    others.stop();
    await sleep(1_000);

    await seeing.more(200);
    const { cpuMs: few } = await each();
    await seeing.more(800);
    await each(); // warm: the first deliveries to so many are still being compiled
    const before = await seeing.more(0);
    const { cpuMs: many, changes } = await each();
    const after = await seeing.lagsOf(changes);
    const packets = (after.packets - before.packets) / UPDATES;
    console.log(`\nan update reaches ${packets} sockets; ${leaked} packets went to those that may not see it`);
    const outrun = await changeInABurst(subject, admin, seeing);
    return [
      ["update to 200 sockets: server CPU ms", few - alone],
      ["update to 1,000 sockets: server CPU ms", many - alone],
      ["update to 1,000 sockets: ms until delivered, p99", percentile(after.lags, 0.99)],
      ["update to 1,000 that may not see it: server CPU ms", Math.max(0, unseen - alone)],
      ...outrun,
    ];
  } finally {
    seeing.stop();
    others.stop();
  }
}

/** Milliseconds of server CPU for one change, with everything that follows from it. */
async function pacedUpdates({ url, serverPid }: MeasuredServer, token: string, id: number) {
  const changes: Change[] = [];
  await sleep(500);
  const before = cpuOf(serverPid);
  for (let count = 0; count < UPDATES; count += 1) {
    changes.push(await changeStatus(url, token, id, count % 2 === 0 ? "open" : "pending"));
    await sleep(PAUSE_MS);
  }
  await sleep(500);
  return { cpuMs: (cpuOf(serverPid) - before) / UPDATES, changes };
}
