import { setTimeout as sleep } from "node:timers/promises";
import { linesOf } from "#server/features/connections/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { BackgroundService } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";
import { contentOf } from "./lively.files.ts";
import { createLife } from "./lively.life.ts";
import type { Life, World } from "./lively.life.ts";
import { claimWord, findLivelyLines } from "./lively.queries.ts";
import type { LivelyLine } from "./lively.queries.ts";
import { ownerNumber } from "./numbers.ts";
import { findPeople } from "./people.queries.ts";
import { openNetwork } from "./sim-line.ts";
import { givePersonNumber } from "./simulator.people.ts";

const TICK_MS = 1_000;
/** How soon the switch, a sign-in or a lost line shows. */
const LOOK_MS = 5_000;

/** Lets the people of this process's lively lines live. Stops with the switch, the line, or the last person signed in. */
export function livelyPeople(services: Services): BackgroundService {
  const { db, log, clock } = services;
  const lives = new Map<number, Life>();
  const ended = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  const now = () => clock.now().getTime();

  async function tick(): Promise<void> {
    for (let lookAt = 0; !ended.signal.aborted;) {
      try {
        if (performance.now() >= lookAt) {
          await lookAround();
          lookAt = performance.now() + LOOK_MS;
        }
        for (const life of lives.values()) {
          await life.live(now());
        }
      } catch (error) {
        // The network may be starting again, the database away for a moment: life goes on with the next tick.
        log.debug({ err: error }, "simulated people are silent");
      }
      await sleep(TICK_MS, undefined, { ref: false });
    }
  }

  async function lookAround(): Promise<void> {
    const owned = linesOf(services).supervisor.owned();
    const lively = owned.size === 0 ? [] : (await findLivelyLines(db)).filter(({ id }) => owned.has(id));
    const ids = new Set(lively.map(({ id }) => id));
    [...lives.keys()].filter((id) => !ids.has(id)).forEach((id) => lives.delete(id));
    for (const line of lively.filter(({ id }) => !lives.has(id))) {
      lives.set(line.id, createLife(worldOf(services, line), Math.random, now()));
    }
  }

  /** Everything that people receive on the network; those of lively lines react. */
  async function listen(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        const network = await openNetwork(services.config.dataDir);
        for await (const { from, person, group, text, content } of network.messages({ signal: ended.signal })) {
          const [, life] = [...lives].find(([id]) => ownerNumber(id) === from) ?? [];
          // In a group nobody in particular is asked.
          if (
            life &&
            group === undefined &&
            content.kind !== "revoke" &&
            content.kind !== "reaction" &&
            content.kind !== "edit"
          ) {
            life.hear(person, text, now());
          }
        }
      } catch (error) {
        log.trace({ err: error }, "the simulator's network is not there");
      }
      await sleep(TICK_MS, undefined, { ref: false });
    }
  }

  return {
    name: "simulated people",
    role: "lines",
    async start() {
      if (services.config.whatsapp.simulator) {
        running = Promise.all([tick(), listen()]);
      }
    },
    async stop() {
      ended.abort();
      await running;
    },
  };
}

function worldOf(services: Services, { id, companyId }: LivelyLine): World {
  const { db, log, clock, config } = services;
  const line = ownerNumber(id);
  const scope = { actor: { kind: "system", companyId, reason: "simulated people" }, companyId, log, clock } as const;
  const within = <T>(work: (ctx: Ctx) => Promise<T>) => db.inCompany(scope, work);
  const network = () => openNetwork(config.dataDir);

  return {
    async acquaintances() {
      const client = await network();
      const [rows, chats] = await Promise.all([within((ctx) => findPeople(ctx, id)), client.call("chats", { line })]);
      const talks = new Map(chats.map((chat) => [chat.number, chat]));
      return rows.map(({ number, name }) => {
        const last = talks.get(number)?.last;
        return { number, name, lastAt: last?.at ?? null, isWaiting: last?.isOwn ?? false };
      });
    },
    async introduce(name) {
      const person = await within((ctx) => givePersonNumber(ctx, id, { name }));
      await (await network()).call("person", person);
      return person.number;
    },
    mayStillSpeak: (most) => within((ctx) => claimWord(ctx, id, most)),
    reads: async (number) => (await network()).call("reads", { number, from: line }),
    types: async (number) => (await network()).call("types", { number, to: line }),
    async says(number, words) {
      const client = await network();
      const person = (await within((ctx) => findPeople(ctx, id))).find((one) => one.number === number);
      // somebody whom the database knows and the network has not met yet would speak under a bare number
      if (person) {
        await client.call("person", person);
      }
      await client.call("personSends", { number, to: line, content: await contentOf(words) });
    },
  };
}
