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

/** The machinery of one process, made once by `app/` and handed to every feature. Nothing of it is global. */
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
  /** Of all features. */
  readonly renamedTasks: readonly RenamedTask[];
  /** Where people open the product, without a slash at the end; follows the bound port where PUBLIC_URL is absent. */
  publicUrl(): string;
  /** The server tells where it listens. */
  bound(url: string): void;
}
