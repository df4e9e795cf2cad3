import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { WaSimClient } from "@prosa/wa-sim/client";
import type { RetryingApi } from "./retrying-api.ts";

/** A message of a customer. */
export interface CustomerMessage {
  readonly id: string;
  readonly text: string;
}

/** The customers, each with the messages they sent, in order. */
export interface Customers {
  readonly numbers: readonly string[];
  readonly sent: ReadonlyMap<string, CustomerMessage[]>;
  /**
   * Sends a message. Every fifteenth cannot be decrypted at first, every twentieth is sent twice under one id, every
   * thirtieth is delivered twice.
   */
  send(index: number): Promise<void>;
}

export function createCustomers(sim: WaSimClient, line: string, count: number): Customers {
  const numbers = Array.from({ length: count }, (_, index) => `55119${80_000_000 + index}`);
  const sent = new Map(numbers.map((number): [string, CustomerMessage[]] => [number, []]));
  let total = 0;

  return {
    numbers,
    sent,
    async send(index) {
      const number = numbers[index % count]!;
      const own = sent.get(number)!;
      const message = { id: `3A${randomBytes(9).toString("hex").toUpperCase()}`, text: `${number} ${own.length}` };
      own.push(message);
      total += 1;
      if (total % 30 === 0) {
        await sim.faults({ duplicateNext: 1 });
      }
      if (total % 15 === 7) {
        await sim.faults({ corruptNext: 1 });
      }
      const input = { number, to: line, content: message.text, id: message.id };
      await sim.call("says", input);
      if (total % 20 === 0) {
        await sim.call("says", input);
      }
    },
  };
}

/** An agent's outbox: one message at a time per conversation, each repeated until the server answers. */
export interface Agent {
  /** Client ids of the sent messages in order, by customer's number. */
  readonly sentClientIds: ReadonlyMap<string, string[]>;
  send(): void;
  /** Resolves when the server has accepted everything; rejects if it refused a message. */
  done(): Promise<void>;
}

export function createAgent(api: RetryingApi, ticketByNumber: ReadonlyMap<string, number>): Agent {
  const numbers = [...ticketByNumber.keys()];
  const sentClientIds = new Map(numbers.map((number): [string, string[]] => [number, []]));
  const lanes = new Map(numbers.map((number) => [number, Promise.resolve()]));

  return {
    sentClientIds,
    send() {
      const number = numbers[randomInt(numbers.length)]!;
      const clientId = randomUUID();
      const own = sentClientIds.get(number)!;
      own.push(clientId);
      const body = { body: `resposta ${own.length} para ${number}`, clientId };
      const send = async () => {
        await api.call("POST", `/messages/${ticketByNumber.get(number)}`, body);
      };
      lanes.set(number, lanes.get(number)!.then(send));
    },
    done: async () => void (await Promise.all(lanes.values())),
  };
}
