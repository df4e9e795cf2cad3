import { z } from "zod";
import { setCoalescedInterval } from "#server/platform/clock/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { Driver, Line, LineState } from "#server/whatsapp/port.ts";
import type { SimulatorNetwork } from "#server/whatsapp/simulator/index.ts";
import { changeState } from "../connections.state.ts";
import { createClientVersionCircuitBreaker } from "../client-versions/index.ts";
import { createDriverHost } from "../driver-host/index.ts";
import type { DriverHost, Ingest, TypingListener } from "../driver-host/index.ts";
import {
  acquireLeases,
  balanceOf,
  createLeaseRenewal,
  findDesiredLines,
  hasSurplus,
  isMovable,
  linesToOpen,
  reconcileAction,
  releaseLeases,
  releaseLeasesOfDeadProcesses,
  shouldConnect,
} from "../leases/index.ts";
import type { AppliedState, DesiredLine, HeldLease, LineBalance } from "../leases/index.ts";
import { settingsFor } from "./line-settings.ts";

const RECONCILE_MS = 1_000;
/** One pass in so many runs where nothing but an event is expected, which begins a pass at once. */
const RECONCILE_ANYWAY = 10;
const RENEW_MS = 3_000;
/** Lines opened in one pass, so that a process with hundreds of lines starts them in batches. */
const MAX_OPEN_PER_RECONCILE = 20;

export interface SupervisorOptions {
  readonly services: Services;
  readonly driver: Driver;
  readonly simulator: SimulatorNetwork | undefined;
  readonly ingest: Ingest;
  readonly onTyping: TypingListener;
  /** Called after this process has acquired leases. */
  readonly onLinesAcquired: () => void;
}

export interface Supervisor {
  /** The name of this process, as its leases have it. */
  readonly owner: string;
  find(connectionId: number): Line | undefined;
  owned(): ReadonlySet<number>;
  start(): Promise<void>;
  /** Compares desired and actual state now, instead of at the next second. */
  reconcile(): Promise<void>;
  /** Drains the lines and releases their leases at once. */
  stop(): Promise<void>;
  /** For tests: ends like a killed process, with its leases left behind. */
  crash(): void;
}

/** For this long a free line is left to processes below their fair share; then any process takes it over. */
const OVERDUE_AFTER_MS = 3_000;
/** A line that was handed over gets this long to connect elsewhere before the next one is handed over. */
const HAND_OVER_TIMEOUT_MS = 15_000;
/** Only a line connected for this long is handed over, not one that is being linked or that keeps reconnecting. */
const STABLE_AFTER_MS = 2_000;
/** A line that was handed over and came back, because no other process opened it, stays here for this long. */
const RETURNED_STAYS_MS = 10 * 60_000;
const LEASE_RELEASED = "line.freed";

interface RunningLine extends HeldLease {
  readonly line: Line;
  readonly host: DriverHost;
  readonly applied: AppliedState;
  readonly companyId: number;
  isEnded: boolean;
  /** It is being handed over or unlinked: no new work starts on it here. */
  isLeaving: boolean;
}

/**
 * Runs the lines that this process holds a lease for. Each second it compares the desired state with what runs, takes
 * over lines whose lease is free or expired, and hands lines over to processes that have fewer. Where it runs all lines itself,
 * alone and in the desired state, it waits for an event and looks each ten seconds (decision 0188).
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { services, driver, simulator } = options;
  const { db, log, config, processes } = services;
  const owner = services.processes.name;
  const running = new Map<number, RunningLine>();
  const timers: (() => void)[] = [];
  /** Lines whose device is being unlinked: until that has ended, the line is not opened again here. */
  const unlinking = new Map<number, Promise<void>>();
  const freeSince = new Map<number, number>();
  /** When a line came back because no other process opened it, by connection. */
  const returnedAt = new Map<number, number>();
  let moving: { readonly id: number; readonly at: number } | undefined;
  const leases = createLeaseRenewal({ db, owner, held: running, onLost: dropLine });
  const circuitBreaker = createClientVersionCircuitBreaker(services, () => void reconcile());
  let reconciling: Promise<void> | undefined;
  let isRequested = false;
  let isStarted = false;
  let isStopped = false;
  let isSettled = false;
  let polls = 0;

  async function reconcile(): Promise<void> {
    if (!isStarted) {
      return;
    }
    isRequested = true;
    reconciling ??= (async () => {
      while (isRequested && !isStopped) {
        isRequested = false;
        await logErrors(reconcileOnce);
      }
      reconciling = undefined;
    })();
    await reconciling;
  }

  async function reconcileOnce(): Promise<void> {
    const lines = await releaseLeasesOfDeadProcesses(db, await findDesiredLines(db));
    const desiredById = new Map(lines.map((desired) => [desired.id, desired]));
    await Promise.all([...running].map(([id, line]) => reconcileLine(id, line, desiredById.get(id))));
    await takeOverFreeLines(lines);
    await rebalanceOne(lines);
    isSettled =
      isAlone() && lines.every(isAsDesired) && running.size === lines.filter(({ id }) => running.has(id)).length;
  }

  /** No other process runs lines, or has left leases that expire. */
  function isAlone(): boolean {
    return processes.peers("lines", ["starting", "ready", "leaving"]).length === 0 && moving === undefined;
  }

  /** It runs here, or need not run and nobody has its lease. */
  function isAsDesired(desired: DesiredLine): boolean {
    const current = running.get(desired.id);
    return current ? !current.isEnded && !current.isLeaving : !desired.isLeased && !shouldConnect(desired);
  }

  function poll(): void {
    leases.dropOverdue();
    polls += 1;
    if (!isSettled || polls % RECONCILE_ANYWAY === 0 || !db.listenNotify.isHeard()) {
      void reconcile();
    }
  }

  function balance(lines: readonly DesiredLine[], states: Parameters<typeof processes.peers>[1]): LineBalance {
    const neighbours = processes.peers("lines", states).map(({ name }) => name);
    return balanceOf(owner, neighbours, lines);
  }

  async function reconcileLine(id: number, current: RunningLine, desired: DesiredLine | undefined): Promise<void> {
    if (unlinking.has(id)) {
      return;
    }
    const action = reconcileAction(current.applied, desired, current.host.writtenState());
    if (action === "rewrite") {
      current.host.rewriteState();
    }
    if ((action === "keep" || action === "rewrite") && !current.isEnded) {
      return;
    }
    if (action === "unlink") {
      unlink(id, current);
      return;
    }
    await current.line.stop();
    if (action === "release" && !current.isEnded) {
      // Not connected any more; the next process to open it continues from this state.
      current.host.onState({ status: "OPENING" });
    }
    await finish(id, current);
  }

  /** Runs beside the reconcile loop: a phone may take long to answer, and the other lines must not wait with it. */
  function unlink(id: number, current: RunningLine): void {
    current.isLeaving = true;
    const unlinked = logErrors(async () => {
      // A deleted row or a phone that does not answer: the line ends all the same.
      await current.line.logout().catch((error: unknown) => log.debug({ err: error, line: id }, "line not unlinked"));
      await finish(id, current);
    }).finally(() => unlinking.delete(id));
    unlinking.set(id, unlinked);
    void unlinked.then(reconcile);
  }

  /** Opens lines whose lease is free or expired: those of this process's fair share, and those that stayed free too long. */
  async function takeOverFreeLines(lines: readonly DesiredLine[]): Promise<void> {
    const { probe, allowed, blocked } = await circuitBreaker.partition(
      lines.filter((desired) => shouldConnect(desired) && !running.has(desired.id) && !unlinking.has(desired.id)),
    );
    await Promise.all(blocked.map(writeVersionRefused));
    const now = performance.now();
    const allowedIds = new Set(allowed.map(({ id }) => id));
    [...freeSince.keys()].filter((id) => !allowedIds.has(id)).forEach((id) => freeSince.delete(id));
    allowed.filter(({ id }) => !freeSince.has(id)).forEach(({ id }) => freeSince.set(id, now));

    const selected = linesToOpen(
      allowed,
      balance(lines, ["starting", "ready"]),
      (id) => id === moving?.id,
      (id) => now - (freeSince.get(id) ?? now) > OVERDUE_AFTER_MS,
    ).slice(0, MAX_OPEN_PER_RECONCILE);
    const toOpen = probe ? [probe, ...selected] : selected;
    if (toOpen.length === 0 || isStopped) {
      return;
    }
    await open(toOpen);
  }

  async function open(lines: readonly DesiredLine[]): Promise<void> {
    const ready = (await Promise.all(lines.map(withSettings))).filter((each) => each !== undefined);
    if (ready.length === 0) {
      return;
    }
    const acquired = await acquireLeases(
      db,
      owner,
      ready.map(({ desired }) => desired.id),
    );
    for (const { desired, settings } of ready) {
      if (acquired.has(desired.id) && !isStopped) {
        if (desired.id === moving?.id) {
          returnedAt.set(desired.id, performance.now());
          moving = undefined;
        }
        start(desired, settings);
      }
    }
    options.onLinesAcquired();
  }

  /** Hands one line over to a process that has fewer, after the line before it has connected there: never two at a time. */
  async function rebalanceOne(lines: readonly DesiredLine[]): Promise<void> {
    const now = performance.now();
    const last = lines.find(({ id }) => id === moving?.id);
    const isUnderWay = last !== undefined && !(last.isLeased && last.status === "CONNECTED");
    const isSomeFree = lines.some((desired) => isMovable(desired) && shouldConnect(desired));
    if (isStopped || isSomeFree || (moving && isUnderWay && now - moving.at < HAND_OVER_TIMEOUT_MS)) {
      return;
    }
    moving = undefined;
    if (!hasSurplus(balance(lines, ["ready"]))) {
      return;
    }
    const movable = new Set(lines.filter(isMovable).map(({ id }) => id));
    const candidate = [...running].findLast(([id, { host, isEnded, isLeaving }]) => {
      const written = host.writtenState();
      const isStable = !isEnded && !isLeaving && written?.status === "CONNECTED" && written.forMs > STABLE_AFTER_MS;
      return movable.has(id) && isStable && now - (returnedAt.get(id) ?? -RETURNED_STAYS_MS) >= RETURNED_STAYS_MS;
    });
    if (candidate) {
      const [id, current] = candidate;
      moving = { id, at: now };
      log.info({ line: id }, "line handed over to a process with fewer lines");
      await handOver(id, current, { status: "OPENING" });
    }
  }

  /** Finishes the work in progress on the line, then releases its lease; queued jobs wait for the next owner. */
  async function handOver(id: number, current: RunningLine, lastState?: LineState): Promise<void> {
    current.isLeaving = true;
    await current.line.stop();
    if (lastState && !current.isEnded) {
      current.host.onState(lastState);
    }
    await finish(id, current);
    services.pubsub.publish(current.companyId, LEASE_RELEASED, String(id), id);
  }

  /** Shows why a blocked line does not connect: people would look for a fault of their own. */
  async function writeVersionRefused({ id, companyId, status, reason }: DesiredLine): Promise<void> {
    const isWritten = status === "DISCONNECTED" && reason === "versionRefused";
    // Under its lease: a process with another client version may have opened it meanwhile.
    if (!isWritten && (await acquireLeases(db, owner, [id])).has(id)) {
      const actor = { kind: "line", companyId, connectionId: id } as const;
      try {
        await db.inCompany({ actor, companyId, log, clock: services.clock }, (ctx) =>
          changeState(ctx, id, { status: "DISCONNECTED", reason: "versionRefused", detail: "" }),
        );
      } finally {
        await releaseLeases(db, owner, [id]);
      }
    }
  }

  async function withSettings(desired: DesiredLine) {
    try {
      return { desired, settings: await settingsFor(desired, config, simulator) };
    } catch (error) {
      log.warn({ err: error, line: desired.id }, "line cannot be opened in this process");
      return undefined;
    }
  }

  function start(desired: DesiredLine, settings: Parameters<Driver["open"]>[1]): void {
    const { id, companyId, provider, round, pairingNumber } = desired;
    const host = createDriverHost({
      services,
      companyId,
      connectionId: id,
      round,
      owner,
      ingest: options.ingest,
      onTyping: options.onTyping,
      onStateChange: (state) => circuitBreaker.recordState(provider, state),
      onEnded: () => {
        const line = running.get(id);
        if (line?.host === host) {
          line.isEnded = true;
          isSettled = false;
        }
      },
      onLeaseLost: () => dropLine(id),
    });
    const line = driver.open(host, settings);
    running.set(id, {
      line,
      host,
      companyId,
      applied: { provider, round, pairingNumber },
      renewedAt: performance.now(),
      isRenewalWaiting: false,
      isEnded: false,
      isLeaving: false,
    });
  }

  /** After a line has ended: its last state is written, then the lease is released. */
  async function finish(id: number, current: RunningLine): Promise<void> {
    await current.host.flushed();
    if (running.get(id) === current) {
      running.delete(id);
      await releaseLeases(db, owner, [id]);
      isRequested = true;
      isSettled = false;
    }
  }

  function dropLine(id: number): void {
    log.warn({ line: id }, "line lease lost");
    running.get(id)?.line.drop();
    running.delete(id);
    isSettled = false;
  }

  async function logErrors(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, "line supervisor pass failed; the next one retries");
    }
  }

  return {
    owner,
    find(connectionId) {
      const found = running.get(connectionId);
      return found?.isLeaving ? undefined : found?.line;
    },
    owned: () => new Set([...running].flatMap(([id, { isLeaving }]) => (isLeaving ? [] : [id]))),
    async start() {
      isStarted = true;
      timers.push(setCoalescedInterval(poll, RECONCILE_MS));
      timers.push(setCoalescedInterval(() => void logErrors(leases.renew), RENEW_MS));
      processes.onChange(() => void reconcile());
      services.pubsub.subscribe(LEASE_RELEASED, z.number(), () => void reconcile());
      await reconcile();
    },
    reconcile,
    async stop() {
      isStopped = true;
      await reconciling;
      timers.forEach((end) => end());
      // Each lease is released as soon as its line has drained: none waits for the slowest.
      await Promise.all([...running].map(([id, line]) => unlinking.get(id) ?? handOver(id, line)));
      await services.pubsub.flush();
    },
    crash() {
      isStopped = true;
      timers.forEach((end) => end());
      running.forEach(({ line }) => line.drop());
      running.clear();
    },
  };
}
