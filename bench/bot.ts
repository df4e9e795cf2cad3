import { sql } from "kysely";
import { openInbound, textFrom } from "./inbound.ts";
import type { Inbound } from "./inbound.ts";

const people = 200;
const chats = 8;

/**
 * The bot's turns without a line: each message is answered by a menu, measured from storing it to queueing the answer. One
 * by one in eight chats at a time, and in batches of fifty, as after a reconnect.
 */
export async function measureBot(url: string): Promise<[what: string, value: number][]> {
  const inbound = await openInbound(url);
  try {
    await giveQueues(inbound);
    const counts = { warmUp: people * 2, single: 2_000, burst: 6_000 };
    await turns(inbound, counts.warmUp, 50, 1);
    const single = await turns(inbound, counts.single, 1, chats);
    const burst = await turns(inbound, counts.burst, 50, 1);
    await checkAnswers(inbound, counts.warmUp + counts.single + counts.burst);
    return [
      ["bot: turns/s one by one", single],
      ["bot: turns/s in bursts", burst],
    ];
  } finally {
    await inbound.close();
  }
}

/** A turn that gets no menu costs less: throws unless half of the messages got each of the two menus. */
async function checkAnswers({ countAnswers }: Inbound, messages: number): Promise<void> {
  const counts = [await countAnswers("%- Queue 1%- Queue 2%"), await countAnswers("%- Option 1%- Option 5%")];
  if (counts.some((count) => count !== messages / 2)) {
    throw new Error(`${messages} messages to the bot got ${counts.join(" and ")} of its two menus`);
  }
}

/** Each text differs from the contact's last one and leads from one menu to the other, so that the loop detection stays silent. */
async function turns({ receive }: Inbound, count: number, size: number, atOnce: number): Promise<number> {
  const began = performance.now();
  let next = 0;
  const work = async () => {
    while (next < count) {
      const from = next;
      next += size;
      await receive(Array.from({ length: size }, (_, n) => message(from + n)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return count / ((performance.now() - began) / 1_000);
}

function message(n: number) {
  return textFrom(n % people, Math.floor(n / people) % 2 === 0 ? "#" : "1");
}

/** Two queues; the first has options, so that every answer is a menu. */
async function giveQueues({ companyId, connectionId, arrange }: Inbound): Promise<void> {
  await arrange(sql`
    update connections set greeting_message = 'Bem-vindo', max_use_bot_queues = 0 where id = ${connectionId}`);
  await arrange(sql`
    with made as (
      insert into queues (company_id, name, color, greeting_message, schedules)
      select ${companyId}, 'Queue ' || n, '#' || n, 'Hello from queue ' || n, '[]' from generate_series(1, 2) n
      returning id),
    joined as (
      insert into connection_queues (company_id, connection_id, queue_id) select ${companyId}, ${connectionId}, id from made)
    insert into queue_options (company_id, queue_id, title, message, option, position)
    select ${companyId}, (select min(id) from made), 'Option ' || n, 'About ' || n, n::text, n - 1
    from generate_series(1, 5) n`);
}
