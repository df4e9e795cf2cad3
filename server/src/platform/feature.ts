import type { LoadApiKey, LoadSession, LoadToken, SealedColumn } from "./auth/index.ts";
import type { Role } from "./config/index.ts";
import type { RecordedEvent } from "./events/index.ts";
import type { Api } from "./http/index.ts";
import type { Cron, JobHandler, RenamedTask } from "./jobs/index.ts";
import type { EventHandler, JoinHandler, EphemeralFeature, EphemeralSockets, SocketControl } from "./realtime/index.ts";
import type { PersonalDataOwner } from "./personal-data.ts";
import type { FileOwner } from "./storage/index.ts";
import type { Services } from "./services.ts";

/** Plug-in description of one feature; exported by its `feature.ts`, listed in `app/features.ts`. */
export interface Feature {
  /** Its folder name. */
  readonly name: string;
  /** Mounts its endpoints: `serve(api, tickets.list, …)`. */
  readonly routes?: (api: Api) => void;
  /** Job handlers by task (`tickets.close-idle`). */
  readonly tasks?: (services: Services) => Readonly<Record<string, JobHandler>>;
  /** Tasks that mostly wait for a service outside: many of them run at once, in slots of their own. */
  readonly waitingTasks?: readonly string[];
  /** Tasks that had another name in the release before. */
  readonly renamedTasks?: readonly RenamedTask[];
  readonly crons?: (services: Services) => readonly Cron[];
  /** Socket packets by event type (`ticket.updated`). Called only in processes with sockets of the company. */
  readonly events?: (services: Services) => Readonly<Record<string, EventHandler>>;
  /** Socket rooms that a browser may join, by event name (`joinChatBox`); the matching `leave…` comes by itself. */
  readonly joins?: (services: Services) => Readonly<Record<string, JoinHandler>>;
  /** Ephemeral state: who views, who types. Runs in processes with the role realtime. */
  readonly ephemeral?: (services: Services) => (sockets: EphemeralSockets) => EphemeralFeature;
  /** Storage folders that it writes, so that unreferenced files are deleted. */
  readonly files?: readonly FileOwner[];
  /** What it keeps of a person, so that a privacy erasure reaches it. */
  readonly personalData?: readonly PersonalDataOwner[];
  /** Encrypted columns that it writes, so that they are re-encrypted after a rotation of SECRET_KEY. */
  readonly sealed?: readonly SealedColumn[];
  /** Called by event type in every process that follows the event log, after the packets were published: for caches and sockets. */
  readonly eventWatchers?: (services: Services) => Readonly<Record<string, EventWatcher>>;
  /** Services that run as long as the process has the role: lines, simulated customers. */
  readonly backgroundServices?: (services: Services) => readonly BackgroundService[];
  /** Where a page leads to instead, such as the first page of an empty installation; called for each page, so it must be cheap. */
  readonly landing?: (services: Services) => (path: string) => Promise<string | undefined>;
  /** Loads sessions (exactly one feature). */
  readonly loadSession?: (services: Services) => LoadSession;
  /** Loads API tokens of connections (at most one feature). */
  readonly loadToken?: (services: Services) => LoadToken;
  /** Loads API keys of companies (at most one feature). */
  readonly loadApiKey?: (services: Services) => LoadApiKey;
}

/** Handles one event. Must not throw or block: slow work is a job. */
export type EventWatcher = (event: RecordedEvent, sockets: SocketControl) => void;

export interface BackgroundService {
  readonly name: string;
  /** Started in processes that have this role. */
  readonly role: Role;
  start(): Promise<void>;
  /** Must finish within 10 s; the database is still available. */
  stop(): Promise<void>;
  /** Affinities that this process holds (`line:7`): their jobs run here. The service calls `wake` when the set grows. */
  readonly affinities?: (wake: () => void) => () => ReadonlySet<string>;
}
