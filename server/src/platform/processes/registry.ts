import { hostname } from "node:os";
import { z } from "zod";
import type { Role } from "../config/index.ts";
import type { RawQuery, Statement } from "../db/index.ts";
import type { Logger } from "../log/index.ts";
import type { PubSub } from "../pubsub/index.ts";
import { isKnownDead, processName } from "./process-name.ts";

/** A process is taken for dead so long after its last sign of life. */
const SEEN_SECONDS = 10;
const BEAT_MS = 2_000;
const TOPIC = "processes";
/** Ephemeral events belong to a company; those about processes belong to none. */
const NO_COMPANY = 0;

/** Another living process on this database. */
export interface Neighbour {
  readonly name: string;
  readonly host: string;
  readonly roles: readonly Role[];
  readonly version: string;
  /** Where it keeps files; null where it does not say. */
  readonly files: string | null;
  /** `starting` until its port is open, `leaving` from the signal that ends it. */
  readonly state: "starting" | "ready" | "leaving";
}

/** This process among those that share the database. */
export interface ProcessRegistry {
  /** What this process calls itself in leases. */
  readonly name: string;
  /** Those in one of these states (default: ready), as of the last beat. None before `start`. */
  neighbours(role: Role, states?: readonly Neighbour["state"][]): readonly Neighbour[];
  /** Called when neighbours come, are ready, leave or go. */
  onChange(listener: () => void): void;
  /** Makes this process known to the others as starting. */
  start(files?: string): Promise<void>;
  /** It is ready: the others may count on it. */
  ready(): Promise<void>;
  /** It is about to end: nothing more is given to it. Sees the neighbours anew. */
  leave(): Promise<void>;
  /** It is gone. */
  stop(): Promise<void>;
  /** Looks at the neighbours now. */
  look(): Promise<void>;
}

export interface RegistryOptions {
  readonly raw: RawQuery;
  readonly pubsub: PubSub;
  readonly log: Logger;
  readonly roles: ReadonlySet<Role>;
  readonly version: string;
}

const BEAT: Statement<Neighbour> = {
  name: "processes_beat",
  text: `with mine as (
      insert into processes (name, host, roles, version, state, files, seen_until)
      values ($1, $2, $3::text[], $4, $5, $6, clock_timestamp() + interval '${SEEN_SECONDS} s')
      on conflict (name) do update set state = excluded.state, seen_until = excluded.seen_until),
    dead as (delete from processes where seen_until < clock_timestamp() - interval '1 minute')
    select name, host, roles, version, files, state from processes
    where name <> $1 and seen_until >= clock_timestamp() order by name`,
};

const GONE: Statement<never> = { name: "processes_gone", text: "delete from processes where name = $1" };

/** Keeps the row of this process, and reads those of the others. */
export function createProcessRegistry({ raw, pubsub, log, roles, version }: RegistryOptions): ProcessRegistry {
  const name = processName();
  let state: Neighbour["state"] = "starting";
  let files: string | null = null;
  let others: readonly Neighbour[] = [];
  let timer: NodeJS.Timeout | undefined;
  let beating = Promise.resolve();
  const listeners: (() => void)[] = [];

  async function look(): Promise<void> {
    beating = beating.then(async () => {
      if (!timer) {
        return;
      }
      try {
        const rows = await raw(BEAT, [name, hostname(), [...roles], version, state, files]);
        const before = JSON.stringify(others);
        others = rows.filter((row) => !isKnownDead(row.name));
        if (JSON.stringify(others) !== before) {
          listeners.forEach((listener) => listener());
        }
      } catch (error) {
        // The next beat comes; without any the others take this process for dead, as they take its leases.
        log.warn({ err: error }, "the process could not make itself known");
      }
    });
    await beating;
  }

  async function enter(next: Neighbour["state"]): Promise<void> {
    state = next;
    await look();
    pubsub.publish(NO_COMPANY, TOPIC, name, name);
  }

  return {
    name,
    neighbours: (role, states = ["ready"]) =>
      others.filter((other) => states.includes(other.state) && other.roles.includes(role)),
    onChange: (listener) => void listeners.push(listener),
    look,
    async start(place) {
      files = place ?? null;
      timer = setInterval(() => void look(), BEAT_MS).unref();
      pubsub.subscribe(TOPIC, z.string(), (_company, who) => void (who !== name && look()));
      await enter("starting");
    },
    ready: () => enter("ready"),
    leave: () => enter("leaving"),
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await beating;
      others = [];
      await raw(GONE, [name]);
    },
  };
}
