import { hostname } from "node:os";
import { z } from "zod";
import { setCoalescedInterval } from "../clock/index.ts";
import type { Role } from "../config/index.ts";
import type { RawQuery, Statement } from "../db/index.ts";
import type { Logger } from "../log/index.ts";
import type { PubSub } from "../pubsub/index.ts";
import { isKnownDead, processName } from "./process-name.ts";

/** A process counts as dead this long after its last heartbeat. */
const SEEN_SECONDS = 10;
const HEARTBEAT_MS = 3_000;
const TOPIC = "processes";
/** Ephemeral events belong to a company; those about processes belong to none. */
const NO_COMPANY = 0;

/** Another living process on this database. */
export interface PeerProcess {
  readonly name: string;
  readonly host: string;
  readonly roles: readonly Role[];
  readonly version: string;
  /** Identity of its file storage; null until it is known. */
  readonly fileStorage: string | null;
  /** `starting` until its port is open, `leaving` from the stop signal on. */
  readonly state: "starting" | "ready" | "leaving";
}

/** Registry of the processes that share the database (table `processes`). */
export interface ProcessRegistry {
  /** The name of this process in leases. */
  readonly name: string;
  /** Peers with this role in one of these states (default: ready), as of the last heartbeat. Empty before `start`. */
  peers(role: Role, states?: readonly PeerProcess["state"][]): readonly PeerProcess[];
  /** Called when the list of peers or the state of one changes. */
  onChange(listener: () => void): void;
  /** Registers this process as `starting`. */
  start(fileStorage?: string): Promise<void>;
  /** Sets the state `ready`. */
  ready(): Promise<void>;
  /** Sets the state `leaving`, so that it gets no more work, and refreshes the peers. */
  leave(): Promise<void>;
  /** Removes this process from the registry. */
  stop(): Promise<void>;
  /** Reads the peers now. */
  refresh(): Promise<void>;
}

export interface RegistryOptions {
  readonly raw: RawQuery;
  readonly pubsub: PubSub;
  readonly log: Logger;
  readonly roles: ReadonlySet<Role>;
  readonly version: string;
}

const HEARTBEAT: Statement<PeerProcess> = {
  name: "processes_beat",
  text: `with mine as (
      insert into processes (name, host, roles, version, state, files, seen_until)
      values ($1, $2, $3::text[], $4, $5, $6, clock_timestamp() + interval '${SEEN_SECONDS} s')
      on conflict (name) do update set state = excluded.state, seen_until = excluded.seen_until),
    dead as (delete from processes where seen_until < clock_timestamp() - interval '1 minute')
    select name, host, roles, version, files as "fileStorage", state from processes
    where name <> $1 and seen_until >= clock_timestamp() order by name`,
};

const GONE: Statement<never> = { name: "processes_gone", text: "delete from processes where name = $1" };

/** Renews the row of this process with each heartbeat and reads those of its peers. */
export function createProcessRegistry({ raw, pubsub, log, roles, version }: RegistryOptions): ProcessRegistry {
  const name = processName();
  let state: PeerProcess["state"] = "starting";
  let fileStorage: string | null = null;
  let peers: readonly PeerProcess[] = [];
  let endBeats: (() => void) | undefined;
  let beating = Promise.resolve();
  const listeners: (() => void)[] = [];

  async function refresh(): Promise<void> {
    beating = beating.then(async () => {
      if (!endBeats) {
        return;
      }
      try {
        const rows = await raw(HEARTBEAT, [name, hostname(), [...roles], version, state, fileStorage]);
        const before = JSON.stringify(peers);
        peers = rows.filter((row) => !isKnownDead(row.name));
        if (JSON.stringify(peers) !== before) {
          listeners.forEach((listener) => listener());
        }
      } catch (error) {
        // Retried with the next heartbeat. Without any, peers no longer list this process.
        log.warn({ err: error }, "heartbeat of the process failed");
      }
    });
    await beating;
  }

  async function setState(next: PeerProcess["state"]): Promise<void> {
    state = next;
    await refresh();
    pubsub.publish(NO_COMPANY, TOPIC, name, name);
  }

  return {
    name,
    peers: (role, states = ["ready"]) =>
      peers.filter((peer) => states.includes(peer.state) && peer.roles.includes(role)),
    onChange: (listener) => void listeners.push(listener),
    refresh,
    async start(identity) {
      fileStorage = identity ?? null;
      endBeats = setCoalescedInterval(() => void refresh(), HEARTBEAT_MS);
      pubsub.subscribe(TOPIC, z.string(), (_company, sender) => void (sender !== name && refresh()));
      await setState("starting");
    },
    ready: () => setState("ready"),
    leave: () => setState("leaving"),
    async stop() {
      endBeats?.();
      endBeats = undefined;
      await beating;
      peers = [];
      await raw(GONE, [name]);
    },
  };
}
