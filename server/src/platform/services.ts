import type { AccessTokens, Sessions, Signer, Vault } from "./auth/index.ts";
import type { Clock } from "./clock/index.ts";
import type { Config } from "./config/index.ts";
import type { Db } from "./db/index.ts";
import type { RateLimiter } from "./http/limits/index.ts";
import type { RenamedTask } from "./jobs/index.ts";
import type { Logger } from "./log/index.ts";
import type { Metrics } from "./metrics/index.ts";
import type { ProcessRegistry } from "./processes/index.ts";
import type { PubSub } from "./pubsub/index.ts";
import type { MediaLinks, FreeSpace, Storage } from "./storage/index.ts";

/** The infrastructure of one process, created once by `app/` and passed to every feature. None of it is global. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly db: Db;
  readonly metrics: Metrics;
  readonly vault: Vault;
  readonly signer: Signer;
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly storage: Storage;
  readonly freeSpace: FreeSpace;
  readonly media: MediaLinks;
  readonly limiter: RateLimiter;
  readonly pubsub: PubSub;
  readonly processes: ProcessRegistry;
  /** Renamed tasks of all features. */
  readonly renamedTasks: readonly RenamedTask[];
  /** Public URL without a trailing slash; without PUBLIC_URL it follows the bound port. */
  publicUrl(): string;
  /** Sets the URL on which the server listens. */
  bound(url: string): void;
}
