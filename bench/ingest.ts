import { cpuOfFamily } from "./cpu.ts";
import { countStatements } from "../server/src/platform/db/index.ts";
import { openInbound, textFrom } from "./inbound.ts";
import type { Inbound } from "./inbound.ts";

const contacts = 50;

/**
 * Ingest without a line: CPU and statements per message, and messages a second in batches of a hundred, as a line's
 * journal makes them in a burst.
 */
export async function measureIngest(url: string, databasePid: number): Promise<[what: string, value: number][]> {
  const inbound = await openInbound(url);
  try {
    // Warm up: all known contacts exist and the code is compiled, also the path of a single message.
    await inBatches(inbound, 2_000, 10);
    await inBatches(inbound, 2_000, 1);
    const { inAll } = await countStatements(() => inbound.receive([message(1)]));
    const single = await inBatches(inbound, 4_000, 1, databasePid);
    const stranger = (n: number) => textFrom(100_000 + n, "Bom dia, quero saber o preço");
    await inBatches(inbound, 1_000, 1, databasePid, (n) => stranger(10_000 + n)); // warm
    const ofNew = await countStatements(() => inbound.receive([stranger(0)]));
    const news = await inBatches(inbound, 1_500, 1, databasePid, (n) => stranger(1 + n));
    const burst = await inBatches(inbound, 20_000, 100);
    return [
      ["ingest: statements a message", inAll],
      ["ingest: CPU ms a message", single.cpuMs],
      ["ingest: database CPU ms a message", single.databaseMs],
      ["ingest: messages/s one by one", single.perSecond],
      ["ingest, new contacts: statements a message", ofNew.inAll],
      ["ingest, new contacts: CPU ms a message", news.cpuMs],
      ["ingest, new contacts: database CPU ms a message", news.databaseMs],
      ["ingest, new contacts: messages/s one by one", news.perSecond],
      ["ingest: messages/s in bursts", burst.perSecond],
      ["ingest: CPU ms a message in bursts", burst.cpuMs],
    ];
  } finally {
    await inbound.close();
  }
}

async function inBatches({ receive }: Inbound, count: number, size: number, databasePid = 0, messageOf = message) {
  const databaseCpu = cpuOfFamily(databasePid);
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let at = 0; at < count; at += size) {
    await receive(Array.from({ length: size }, (_, n) => messageOf(at + n)));
  }
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: count / seconds,
    cpuMs: (user + system) / 1_000 / count,
    databaseMs: (cpuOfFamily(databasePid) - databaseCpu) / count,
  };
}

function message(n: number) {
  return textFrom(n % contacts, `Message number ${n}, of an ordinary length, as people write them`);
}
