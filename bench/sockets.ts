import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuOf } from "./cpu.ts";
import type { MeasuredServer } from "./load.ts";
import { signIn } from "./calls.ts";
import type { SocketAnswer, SocketOrder } from "./socket-clients.ts";

const UPDATES = 60;

/**
 * What one ticket update costs the server when 200 and 1,000 sockets may see it, and when 1,000 may not: the CPU of a
 * status change with them, less that of the same change with nobody connected.
 */
export async function measureSockets(subject: MeasuredServer): Promise<[what: string, value: number][]> {
  const admin = await signIn(subject.url, "large1@example.com");
  const stranger = await signIn(subject.url, "small1@example.com");
  const id = await pendingTicket(subject.url, admin);
  const seeing = follow(subject.url, admin);
  const others = follow(subject.url, stranger);
  const each = () => costOfAnUpdate(subject, admin, id);

  try {
    await each(); // warm
    const alone = await each();
    const quiet = await others.more(1_000);
    const unseen = await each();
    const leaked = (await others.more(0)).packets - quiet.packets;
    others.stop();
    await sleep(1_000);

    await seeing.more(200);
    const few = await each();
    await seeing.more(800);
    const before = await seeing.more(0);
    const many = await each();
    const after = await seeing.more(0);
    const packets = (after.packets - before.packets) / UPDATES;
    console.log(`\nan update reaches ${packets} sockets; ${leaked} packets went to those that may not see it`);
    return [
      ["update to 200 sockets: server CPU ms", few - alone],
      ["update to 1,000 sockets: server CPU ms", many - alone],
      ["update to 1,000 that may not see it: server CPU ms", Math.max(0, unseen - alone)],
    ];
  } finally {
    seeing.stop();
    others.stop();
  }
}

/** Milliseconds of server CPU for one change, with everything that follows from it. */
async function costOfAnUpdate({ url, serverPid }: MeasuredServer, token: string, id: number): Promise<number> {
  await sleep(500);
  const before = cpuOf(serverPid);
  for (let count = 0; count < UPDATES; count += 1) {
    await change(url, token, id, count % 2 === 0 ? "open" : "pending");
    await sleep(20);
  }
  await sleep(500);
  return (cpuOf(serverPid) - before) / UPDATES;
}

async function change(url: string, token: string, id: number, status: string): Promise<void> {
  const answer = await fetch(`${url}/tickets/${id}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ status }),
  });
  if (!answer.ok) {
    throw new Error(await answer.text());
  }
  await answer.arrayBuffer();
}

async function pendingTicket(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/tickets?status=pending&showAll=true`, { headers });
  const { tickets } = (await answer.json()) as { tickets: { id: number }[] };
  return tickets[0]!.id;
}

function follow(url: string, token: string) {
  const child = fork(join(import.meta.dirname, "socket-clients.ts"));
  const joins: SocketOrder["joins"] = [["joinTickets", "open"], ["joinTickets", "pending"], ["joinNotification"]];
  return {
    async more(count: number): Promise<SocketAnswer> {
      child.send({ url, token, more: count, joins } satisfies SocketOrder);
      const gone = once(child, "exit").then(() => Promise.reject(new Error("The sockets could not connect")));
      const [answer] = (await Promise.race([once(child, "message"), gone])) as [SocketAnswer];
      return answer;
    },
    stop: () => void child.kill(),
  };
}
