import { setTimeout as sleep } from "node:timers/promises";
import { linesOf } from "#server/features/connections/index.ts";
import { setCoalescedInterval } from "#server/platform/clock/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { BackgroundService } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";
import { networkContent } from "./network-content.ts";
import { createScriptedCustomers } from "./scripted-customers.ts";
import type { CustomerActions, ScriptedCustomers } from "./scripted-customers.ts";
import { claimMessage, findScriptedLines } from "./scripted-customers.queries.ts";
import type { ScriptedLine } from "./scripted-customers.queries.ts";
import { ownerNumber } from "../phone-numbers.ts";
import { findPeople, createPerson } from "../people/index.ts";
import { openNetwork } from "../simulator-line.ts";

const TICK_MS = 1_000;
/** In so many ticks a change of the setting, a sign-in or a lost line takes effect. */
const REFRESH_TICKS = 5;

/**
 * Runs the scripted customers of this process's lines. They stop with the setting, the line, or when no user of the
 * company is online any more.
 */
export function scriptedCustomersPart(services: Services): BackgroundService {
  const { db, log, clock } = services;
  const customersByLine = new Map<number, ScriptedCustomers>();
  const ended = new AbortController();
  let listening: Promise<unknown> = Promise.resolve();
  let ticking: Promise<void> | undefined;
  let ticks = 0;
  let endTicks: (() => void) | undefined;

  const now = () => clock.now().getTime();

  async function tick(): Promise<void> {
    try {
      if (ticks % REFRESH_TICKS === 0) {
        await refreshLines();
      }
      ticks += 1;
      for (const customers of customersByLine.values()) {
        await customers.runDue(now());
      }
    } catch (error) {
      // The network may be restarting, or the database be unavailable: the next tick tries again.
      log.debug({ err: error }, "scripted customers skipped a tick");
    }
  }

  async function refreshLines(): Promise<void> {
    const owned = linesOf(services).supervisor.owned();
    const lines = owned.size === 0 ? [] : (await findScriptedLines(db)).filter(({ id }) => owned.has(id));
    const ids = new Set(lines.map(({ id }) => id));
    [...customersByLine.keys()].filter((id) => !ids.has(id)).forEach((id) => customersByLine.delete(id));
    for (const line of lines.filter(({ id }) => !customersByLine.has(id))) {
      customersByLine.set(line.id, createScriptedCustomers(actionsOf(services, line), Math.random, now()));
    }
  }

  /** Follows all messages on the network; customers of scripted lines react to those of their line. */
  async function listen(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        const network = await openNetwork(services.config.dataDir);
        for await (const { from, person, group, text, content } of network.messages({ signal: ended.signal })) {
          const [, customers] = [...customersByLine].find(([id]) => ownerNumber(id) === from) ?? [];
          // Nobody reacts in groups, because no member is addressed.
          if (
            customers &&
            group === undefined &&
            content.kind !== "revoke" &&
            content.kind !== "reaction" &&
            content.kind !== "edit"
          ) {
            customers.onMessage(person, text, now());
          }
        }
      } catch (error) {
        log.trace({ err: error }, "simulator network is not available");
      }
      await sleep(TICK_MS, undefined, { ref: false });
    }
  }

  return {
    name: "scripted customers",
    role: "lines",
    async start() {
      if (services.config.whatsapp.simulator) {
        endTicks = setCoalescedInterval(() => {
          ticking ??= tick().finally(() => (ticking = undefined));
        }, TICK_MS);
        listening = listen();
      }
    },
    async stop() {
      ended.abort();
      endTicks?.();
      await Promise.all([ticking, listening]);
    },
  };
}

function actionsOf(services: Services, { id, companyId }: ScriptedLine): CustomerActions {
  const { db, log, clock, config } = services;
  const line = ownerNumber(id);
  const scope = { actor: { kind: "system", companyId, reason: "scripted customers" }, companyId, log, clock } as const;
  const within = <T>(work: (ctx: Ctx) => Promise<T>) => db.inCompany(scope, work);
  const network = () => openNetwork(config.dataDir);

  return {
    async listChats() {
      const client = await network();
      const [rows, chats] = await Promise.all([within((ctx) => findPeople(ctx, id)), client.call("chats", { line })]);
      const chatOf = new Map(chats.map((chat) => [chat.number, chat]));
      return rows.map(({ number, name }) => {
        const last = chatOf.get(number)?.last;
        return { number, name, lastAt: last?.at ?? null, isWaiting: last?.isOwn ?? false };
      });
    },
    async addCustomer(name) {
      const person = await within((ctx) => createPerson(ctx, id, { name }));
      await (await network()).call("person", person);
      return person.number;
    },
    claimMessage: (limit) => within((ctx) => claimMessage(ctx, id, limit)),
    markRead: async (number) => (await network()).call("reads", { number, from: line }),
    showTyping: async (number) => (await network()).call("types", { number, to: line }),
    async send(number, message) {
      const client = await network();
      const person = (await within((ctx) => findPeople(ctx, id))).find((one) => one.number === number);
      // The network may have been restarted since the customer was added; without a name it would show the bare number.
      if (person) {
        await client.call("person", person);
      }
      await client.call("says", { number, to: line, content: await networkContent(message) });
    },
  };
}
