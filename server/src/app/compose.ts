import { createKeyRotation } from "#server/platform/auth/index.ts";
import { createTail, createTailLag, pruneEvents } from "#server/platform/events/index.ts";
import type { RecordedEvent, Tail, TailLag } from "#server/platform/events/index.ts";
import { classifyInfrastructureError } from "#server/platform/infrastructure-errors.ts";
import type { Feature, BackgroundService, EventWatcher } from "#server/platform/feature.ts";
import { createHttpServer, loadWebApp, pruneAnswers, pruneLimits, sealedAnswers } from "#server/platform/http/index.ts";
import type { HttpServer, ReadinessCheck } from "#server/platform/http/index.ts";
import { RetryLater, createJobRunner, measureJobs } from "#server/platform/jobs/index.ts";
import type { Cron, JobHandler, JobRunner } from "#server/platform/jobs/index.ts";
import { mailTasks, openMail } from "#server/platform/mail/index.ts";
import type { MailTransport } from "#server/platform/mail/index.ts";
import { checkWritable, measurePools } from "#server/platform/db/index.ts";
import { createRealtime, noSockets } from "#server/platform/realtime/index.ts";
import type { Realtime } from "#server/platform/realtime/index.ts";
import { createSweep, createFileVisibility, createUploadSweep } from "#server/platform/storage/index.ts";
import { thisRelease } from "#server/platform/release.ts";
import type { Services } from "#server/platform/services.ts";
import { measureMachine } from "./measure-machine.ts";
import { webFolder } from "./paths.ts";
import { onMove } from "./rows-moved.ts";

/** Everything that one process runs, created but not started: `startup/lifecycle.ts` starts and stops it. */
export interface Product {
  readonly services: Services;
  readonly http: HttpServer;
  /** Absent without the role realtime. */
  readonly realtime: Realtime | undefined;
  /** Follows the event log. */
  readonly tail: Tail;
  /** Absent without the roles worker and lines. */
  readonly jobs: JobRunner | undefined;
  readonly parts: readonly BackgroundService[];
  readonly mail: MailTransport;
  close(): Promise<void>;
}

/** Connects the features to the platform, as far as this process's roles need them. */
export async function compose(
  services: Services,
  features: readonly Feature[],
  moreCrons: readonly Cron[] = [],
): Promise<Product> {
  const { config, db, log, sessions } = services;
  const has = (role: BackgroundService["role"]) => config.roles.has(role);

  const checks: ReadinessCheck[] = [
    { name: "database", check: () => checkWritable(db) },
    { name: "storage", check: () => services.freeSpace.check().then((left) => left.database && left.files) },
  ];
  const http = await createHttpServer({
    services,
    webApp: await loadWebApp(webFolder),
    version: thisRelease.version,
    checks,
    isFileVisible: createFileVisibility(
      services,
      features.flatMap((feature) => feature.files ?? []),
    ),
    eventCursor: () => tail.cursor(),
    landing: features.find((feature) => feature.landing)?.landing?.(services) ?? (async () => undefined),
    loadToken: features.find((feature) => feature.loadToken)?.loadToken?.(services),
    loadApiKey: features.find((feature) => feature.loadApiKey)?.loadApiKey?.(services),
    routes: (api) => (has("http") ? features.forEach((feature) => feature.routes?.(api)) : undefined),
  });

  const realtime: Realtime | undefined = has("realtime")
    ? createRealtime({
        server: http.fastify.server,
        services,
        events: mergeByName(features, (feature) => feature.events?.(services)),
        joins: mergeByName(features, (feature) => feature.joins?.(services)),
        ephemeralFeatures: features.flatMap((feature) => feature.ephemeral?.(services) ?? []),
        cursor: () => tail.cursor() ?? "",
      })
    : undefined;

  const watchers = watchersByType(features, services);
  const tailLag = createTailLag(services.pubsub);
  // In every process: workers and lines cache settings, too, until an event invalidates them.
  const tail: Tail = createTail({
    db,
    log,
    async onEvents(batch, cursor) {
      tailLag.report(tail.lagMs());
      batch.forEach((event) => db.cache.invalidate(event.companyId, event));
      await realtime?.publish(batch, cursor);
      batch.forEach((event) => runWatchers(event));
    },
    onReset() {
      sessions.forgetAll();
      db.cache.clear();
      realtime?.requestRefetch();
    },
  });
  checks.push({ name: "events", check: () => tail.cursor() !== undefined });
  onMove(services.pubsub, () => {
    sessions.forgetAll();
    db.cache.clear();
    realtime?.requestRefetch();
  });

  function runWatchers(event: RecordedEvent): void {
    for (const watcher of watchers.get(event.type) ?? []) {
      try {
        watcher(event, realtime ?? noSockets);
      } catch (error) {
        log.error({ err: error, type: event.type }, "event watcher failed");
      }
    }
  }

  measureJobs(services.metrics, db, services.renamedTasks);
  measurePools(services.metrics, db);
  measureMachine(services.metrics, config);
  services.metrics.onScrape(
    { name: "prosa_tail_behind_ms", help: "How long this process has been reading events without reaching the newest" },
    () => [{ value: Math.round(tail.lagMs()) }],
  );
  services.metrics.onScrape(
    { name: "prosa_info", help: "What runs here", labels: ["version", "roles", "node"] },
    () => [
      {
        labels: { version: thisRelease.version, roles: [...config.roles].join(","), node: process.versions.node },
        value: 1,
      },
    ],
  );
  const parts = features
    .flatMap((feature) => feature.backgroundServices?.(services) ?? [])
    .filter(({ role }) => has(role));
  const mail = openMail(config);
  const jobs =
    has("worker") || has("lines")
      ? createJobs(services, features, { parts, tailLag, platformTasks: mailTasks(mail, services.vault), moreCrons })
      : undefined;

  return {
    services,
    http,
    realtime,
    tail,
    jobs,
    parts,
    mail,
    async close() {
      mail.close();
      await services.storage.close();
      services.metrics.stop();
    },
  };
}

function createJobs(
  services: Services,
  features: readonly Feature[],
  {
    parts,
    tailLag,
    platformTasks,
    moreCrons,
  }: {
    readonly parts: readonly BackgroundService[];
    readonly tailLag: TailLag;
    readonly platformTasks: Readonly<Record<string, JobHandler>>;
    readonly moreCrons: readonly Cron[];
  },
): JobRunner {
  const { db, clock, log, config, storage, vault } = services;
  const tasks = mergeByName(features, (feature) => feature.tasks?.(services));
  let wake = (): void => undefined;
  const affinities = parts.flatMap((part) => part.affinities?.(() => wake()) ?? []);
  const runner = createJobRunner({
    db,
    clock,
    log,
    tasks: withFreeSpace({ ...Object.fromEntries(tasks), ...platformTasks }, services),
    crons: [
      ...platformCrons,
      ...moreCrons,
      createSweep(
        storage,
        features.flatMap((feature) => feature.files ?? []),
      ),
      createUploadSweep(config.dataDir),
      createKeyRotation(vault, [sealedAnswers, ...features.flatMap((feature) => feature.sealed ?? [])]),
      ...features.flatMap((feature) => feature.crons?.(services) ?? []),
    ],
    renamedTasks: services.renamedTasks,
    waitingTasks: features.flatMap((feature) => feature.waitingTasks ?? []),
    affinities: () => new Set(affinities.flatMap((held) => [...held()])),
    isWorker: config.roles.has("worker"),
    lagMs: tailLag.ms,
    onJob: (task, outcome, seconds) => services.metrics.jobSeconds.observe({ task, outcome }, seconds),
  });
  wake = () => runner.wake();
  return runner;
}

/** A full disk costs a job no attempt: it keeps its place in the lane and waits for free space. */
function withFreeSpace(
  tasks: Readonly<Record<string, JobHandler>>,
  { freeSpace }: Services,
): Record<string, JobHandler> {
  const within =
    (handler: JobHandler): JobHandler =>
    async (job, deps) => {
      try {
        await handler(job, deps);
      } catch (error) {
        freeSpace.reportError(error);
        throw classifyInfrastructureError(error) === "storage full"
          ? new RetryLater(30_000, "storage full", { cause: error })
          : error;
      }
    };
  return Object.fromEntries(Object.entries(tasks).map(([name, handler]) => [name, within(handler)]));
}

const platformCrons: readonly Cron[] = [
  { name: "events.prune", everySeconds: 60, run: async ({ db }) => void (await pruneEvents(db)) },
  pruneLimits,
  pruneAnswers,
];

/** Merges what all features add into one map. Throws if two features use one name. */
function mergeByName<T>(
  features: readonly Feature[],
  of: (feature: Feature) => Readonly<Record<string, T>> | undefined,
): ReadonlyMap<string, T> {
  const all = new Map<string, T>();
  for (const feature of features) {
    for (const [name, value] of Object.entries(of(feature) ?? {})) {
      if (all.has(name)) {
        throw new Error(`${name} is defined twice, the second time by feature ${feature.name}`);
      }
      all.set(name, value);
    }
  }
  return all;
}

/** Several features may watch one event type. */
function watchersByType(
  features: readonly Feature[],
  services: Services,
): ReadonlyMap<string, readonly EventWatcher[]> {
  const entries = features.flatMap((feature) => Object.entries(feature.eventWatchers?.(services) ?? {}));
  return new Map(
    [...Map.groupBy(entries, ([type]) => type)].map(([type, found]) => [type, found.map(([, watcher]) => watcher)]),
  );
}
