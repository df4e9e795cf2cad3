import type { LoadSession, LoadToken, SealedColumn } from "./auth/index.ts";
import type { Role } from "./config/index.ts";
import type { RecordedEvent } from "./events/index.ts";
import type { Api } from "./http/index.ts";
import type { Cron, JobHandler, RenamedTask } from "./jobs/index.ts";
import type { EventHandler, JoinHandler, EphemeralFeature, EphemeralSockets, SocketControl } from "./realtime/index.ts";
import type { FileOwner } from "./storage/index.ts";
import type { Services } from "./services.ts";

/** What one feature adds to the product; exported by its `feature.ts`, listed in `app/features.ts`. */
export interface Feature {
  /** The noun, as its folder is called. */
  readonly name: string;
  /** Mounts its endpoints: `serve(api, tickets.list, …)`. */
  readonly routes?: (api: Api) => void;
  /** Handlers of its jobs, by task (`tickets.close-idle`). */
  readonly tasks?: (services: Services) => Readonly<Record<string, JobHandler>>;
  /** Those of its tasks that the release before calls otherwise. */
  readonly renamedTasks?: readonly RenamedTask[];
  readonly crons?: (services: Services) => readonly Cron[];
  /** Who is told of its events, and what: by type (`ticket.updated`). Runs only where sockets of the company are. */
  readonly events?: (services: Services) => Readonly<Record<string, EventHandler>>;
  /** Rooms that a browser may ask for: by name (`joinChatBox`); the matching `leave…` comes by itself. */
  readonly joins?: (services: Services) => Readonly<Record<string, JoinHandler>>;
  /** What is going on right now and never stored: who looks, who types. Runs where sockets are. */
  readonly ephemeral?: (services: Services) => (sockets: EphemeralSockets) => EphemeralFeature;
  /** Folders of the storage that it fills, so that files which no row names any more are let go of. */
  readonly files?: readonly FileOwner[];
  /** Columns that it fills with sealed bytes, so that they are sealed anew after a rotation of the secret. */
  readonly sealed?: readonly SealedColumn[];
  /** Called in every process that hears the event log, after the sockets were told: to let go of sessions and sockets. */
  readonly eventWatchers?: (services: Services) => Readonly<Record<string, EventWatcher>>;
  /** Work that goes on by itself as long as the process has the role: lines, simulated people. */
  readonly backgroundServices?: (services: Services) => readonly BackgroundService[];
  /** The feature that knows sessions (exactly one). */
  readonly loadSession?: (services: Services) => LoadSession;
  /** The feature that knows tokens of connections (at most one). */
  readonly loadToken?: (services: Services) => LoadToken;
}

/** Looks at one event. Must not throw or wait: what takes time is a job. */
export type EventWatcher = (event: RecordedEvent, sockets: SocketControl) => void;

export interface BackgroundService {
  readonly name: string;
  /** Started in processes that have this role. */
  readonly role: Role;
  start(): Promise<void>;
  /** Within 10 seconds; the database still answers. */
  stop(): Promise<void>;
  /** Jobs bound to these are run here (`line:7`). `wake` is called by the part when the set grew. */
  readonly affinities?: (wake: () => void) => () => ReadonlySet<string>;
}
