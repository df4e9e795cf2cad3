import type { MessageView } from "@prosa/wa-sim";
import type { WaSimClient } from "@prosa/wa-sim/client";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Agent, Customers } from "./traffic.ts";

/** Faults after the storm; all must be 0. */
export interface Verdict {
  readonly lost: number;
  readonly storedTwice: number;
  readonly wrongText: number;
  readonly stubsLeft: number;
  /** Messages that a chat shows after one that the sender wrote in a later second. */
  readonly outOfOrder: number;
  readonly answersLost: number;
  readonly answersTwice: number;
  readonly answersFailed: number;
  /** Answers that the phone received after a later one, without a retry receipt as the cause. */
  readonly answersOutOfOrder: number;
  /** Messages that Baileys refused and of which no copy is stored (output-commit, rule 3). */
  readonly alarms: number;
}

/** Counts of what happened; none of it is a fault. */
export interface Observations {
  readonly inbound: number;
  readonly outbound: number;
  /** WhatsApp's timestamps are whole seconds: within one the order is that of arrival, which a redelivery changes. */
  readonly swappedWithinASecond: number;
  readonly redelivered: number;
  /** Retry receipts of phones: such an answer arrives after the next one. */
  readonly answersRetried: number;
  /** Answers that reached the phone more than once under one id; a phone shows one. */
  readonly repeatedOnTheWire: number;
}

/** Runs a query in the company. */
export type RunQuery = <Row>(query: RawBuilder<Row>) => Promise<Row[]>;

interface InboundRow {
  readonly wa_id: string;
  readonly body: string;
  readonly is_stub: boolean;
  readonly second: number;
}

export async function computeVerdict(
  query: RunQuery,
  sim: WaSimClient,
  connectionId: number,
  { customers, agent }: { readonly customers: Customers; readonly agent: Agent },
): Promise<{ readonly verdict: Verdict; readonly sights: Observations }> {
  const inbound = await inboundRows(query, connectionId);
  const outbound = await outboundRows(query, connectionId);
  const { redelivered, retriesByPersons } = await sim.stats();
  const orders = [...customers.sent.values()].map((said) => orderOf(said, inbound));
  const answers = await Promise.all(
    [...agent.sentClientIds].map(async ([number, clientIds]) => {
      const inbox = await sim.call("inbox", { number });
      return answersOf(clientIds, outbound, inbox);
    }),
  );

  const wanted = new Map([...customers.sent.values()].flat().map(({ id, text }) => [id, text]));
  const copies = Map.groupBy(inbound, ({ wa_id }) => wa_id);
  return {
    verdict: {
      lost: [...wanted.keys()].filter((id) => !copies.has(id)).length,
      storedTwice: inbound.length - copies.size,
      wrongText: inbound.filter(({ wa_id, body, is_stub }) => !is_stub && wanted.get(wa_id) !== body).length,
      stubsLeft: inbound.filter(({ is_stub }) => is_stub).length,
      outOfOrder: sum(orders, ({ acrossSeconds }) => acrossSeconds),
      answersLost: sum(answers, ({ lost }) => lost),
      answersTwice: sum(answers, ({ twice }) => twice),
      answersFailed: sum(answers, ({ failed }) => failed),
      // Each retry explains one answer out of order.
      answersOutOfOrder: Math.max(0, sum(answers, ({ outOfOrder }) => outOfOrder) - retriesByPersons),
      alarms: await countAlarms(query, connectionId),
    },
    sights: {
      inbound: wanted.size,
      outbound: sum([...agent.sentClientIds.values()], ({ length }) => length),
      swappedWithinASecond: sum(orders, ({ withinASecond }) => withinASecond),
      redelivered,
      answersRetried: retriesByPersons,
      repeatedOnTheWire: sum(answers, ({ repeated }) => repeated),
    },
  };
}

export const NOTHING_OPEN = "0 0 0";

/** Counts open work: messages without content, answers without an ack, answers not on the phone. */
export async function countOpen(
  query: RunQuery,
  sim: WaSimClient,
  connectionId: number,
  { customers, agent }: { readonly customers: Customers; readonly agent: Agent },
): Promise<string> {
  const stored = new Set(
    (await inboundRows(query, connectionId)).filter(({ is_stub }) => !is_stub).map(({ wa_id }) => wa_id),
  );
  const unread = [...customers.sent.values()].flat().filter(({ id }) => !stored.has(id)).length;
  const waiting = (await outboundRows(query, connectionId)).filter(({ ack }) => ack === 0).length;
  const missing = await Promise.all(
    [...agent.sentClientIds].map(async ([number, { length }]) => {
      const inbox = await sim.call("inbox", { number });
      return Math.max(0, length - inbox.length);
    }),
  );
  return `${unread} ${waiting} ${sum(missing, (count) => count)}`;
}

/** In the order of the conversation. */
async function inboundRows(query: RunQuery, connectionId: number): Promise<InboundRow[]> {
  return query(sql<InboundRow>`
      select wa_id, body, is_stub, extract(epoch from sent_at)::int as second from messages
      where connection_id = ${connectionId} and not from_me order by sent_at, id`);
}

interface OutboundRow {
  readonly wa_id: string;
  readonly client_id: string;
  readonly ack: number;
}

async function outboundRows(query: RunQuery, connectionId: number): Promise<OutboundRow[]> {
  return query(sql<OutboundRow>`
      select wa_id, client_id, ack from messages where connection_id = ${connectionId} and from_me order by id`);
}

async function countAlarms(query: RunQuery, connectionId: number): Promise<number> {
  const [row] = await query(sql<{ count: number }>`
    select count(*)::int as count from line_log where connection_id = ${connectionId} and event = 'alarm'`);
  return row?.count ?? 0;
}

function orderOf(said: readonly { readonly id: string }[], rows: readonly InboundRow[]) {
  const place = new Map(said.map(({ id }, index) => [id, index]));
  const own = rows.filter(({ wa_id }) => place.has(wa_id));
  let acrossSeconds = 0;
  let withinASecond = 0;
  for (const [index, row] of own.entries()) {
    const next = own[index + 1];
    if (next && place.get(next.wa_id)! < place.get(row.wa_id)!) {
      acrossSeconds += next.second > row.second ? 1 : 0;
      withinASecond += next.second === row.second ? 1 : 0;
    }
  }
  return { acrossSeconds, withinASecond };
}

function answersOf(clientIds: readonly string[], rows: readonly OutboundRow[], inbox: readonly MessageView[]) {
  const rowsOf = Map.groupBy(rows, ({ client_id }) => client_id);
  const views = Map.groupBy(inbox, ({ id }) => id);
  const sent = clientIds.map((clientId) => rowsOf.get(clientId) ?? []);
  const wanted = sent.flatMap((each) => each.map(({ wa_id }) => wa_id));
  const received = inbox.map(({ id }) => id).filter((id) => wanted.includes(id));
  return {
    lost: sent.filter(([row]) => !row || !views.has(row.wa_id)).length,
    twice:
      sent.filter(({ length }) => length > 1).length +
      [...views.values()].filter(({ length }) => length > 1).length +
      [...views.keys()].filter((id) => !wanted.includes(id)).length,
    failed: sent.flat().filter(({ ack }) => ack < 1).length,
    outOfOrder: received.filter((id, index) => index > 0 && wanted.indexOf(id) < wanted.indexOf(received[index - 1]!))
      .length,
    repeated: sum(inbox, ({ copies }) => copies - 1),
  };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
