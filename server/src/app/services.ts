import { createAccessTokens, createSessions, createSigner, createVault } from "#server/platform/auth/index.ts";
import type { LoadSession } from "#server/platform/auth/index.ts";
import { systemClock } from "#server/platform/clock/index.ts";
import type { Clock } from "#server/platform/clock/index.ts";
import { secretKeys } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { createRateLimiter } from "#server/platform/http/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import { createMetrics } from "#server/platform/metrics/index.ts";
import { createProcessRegistry } from "#server/platform/processes/index.ts";
import { createPubSub } from "#server/platform/pubsub/index.ts";
import type { Services } from "#server/platform/services.ts";
import { createMediaLinks, createFreeSpace, openStorageOf } from "#server/platform/storage/index.ts";
import { thisRelease } from "#server/platform/release.ts";

export interface Infrastructure {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly clock?: Clock;
}

/** Builds the services that every feature gets. One of the features loads sessions. */
export async function createServices(infrastructure: Infrastructure, features: readonly Feature[]): Promise<Services> {
  const { config, log, db, clock = systemClock } = infrastructure;
  const secrets = secretKeys(config);
  const signer = createSigner(secrets, clock);
  let boundUrl = `http://localhost:${config.port}`;
  const publicUrl = () => config.publicUrl ?? boundUrl;

  const pubsub = createPubSub(db.listenNotify, log);
  const storage = await openStorageOf(config);

  // A circle: the feature that loads sessions needs the services, and `sessions` calls that feature.
  let loadSession: LoadSession = async () => undefined;
  const services: Services = {
    config,
    log,
    db,
    clock,
    metrics: createMetrics({ withProcess: !config.isTest }),
    vault: createVault(secrets),
    signer,
    tokens: createAccessTokens(secrets, clock),
    sessions: createSessions((claims) => loadSession(claims), clock),
    storage,
    freeSpace: createFreeSpace({ db, storage, dataDir: config.dataDir, log }),
    media: createMediaLinks(signer, clock, publicUrl),
    limiter: createRateLimiter(clock),
    pubsub,
    processes: createProcessRegistry({
      raw: db.systemRaw,
      pubsub,
      log,
      roles: config.roles,
      version: thisRelease.version,
    }),
    renamedTasks: features.flatMap((feature) => feature.renamedTasks ?? []),
    publicUrl,
    bound: (url) => (boundUrl = url),
  };
  loadSession = features.find((feature) => feature.loadSession)?.loadSession?.(services) ?? loadSession;
  return services;
}
