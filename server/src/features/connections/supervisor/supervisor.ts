import { z } from "zod";
import { isKnownDead } from "#server/platform/processes/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { Driver, Line, LineState } from "#server/whatsapp/port.ts";
import type { SimulatorNetwork } from "#server/whatsapp/simulator/index.ts";
import { changeState } from "../connections.state.ts";
import { createDriverHost } from "../driver-host/index.ts";
import type { Ingest, DriverHost, TypingListener } from "../driver-host/index.ts";
import {
  LEASE_SECONDS,
  reconcileAction,
  findDesiredLines,
  hasSurplus,
  isMovable,
  shouldConnect,
  releaseLeases,
  renewLeases,
  balanceOf,
  acquireLeases,
  linesToOpen,
} from "../leases/index.ts";
import type { DesiredLine, AppliedState, LineBalance } from "../leases/index.ts";
import { settingsFor } from "./line-settings.ts";
import { createClientVersionCircuitBreaker } from "../client-versions/index.ts";

const LOOK_MS = 1_000;
const RENEW_MS = 3_000;
/** Without an answer from the database for so long, another process may be about to take the lines. */
const DOUBT_MS = (LEASE_SECONDS - 2) * 1_000;
/** Lines that are opened in one look, so that a process with hundreds does not choke on its start. */
const OPEN_AT_ONCE = 20;

export interface SupervisorParts {
  readonly services: Services;
  readonly driver: Driver;
  readonly simulator: SimulatorNetwork | undefined;
  readonly ingest: Ingest;
  readonly onTyping: TypingListener;
  /** The set of owned lines grew. */
  readonly onGrown: () => void;
}

export interface Supervisor {
  readonly owner: string;
  find(connectionId: number): Line | undefined;
  owned(): ReadonlySet<number>;
  start(): Promise<void>;
  /** Looks at the wishes now. */
  look(): Promise<void>;
  /** Drains the lines and gives their leases back at once. */
  stop(): Promise<void>;
  /** For tests: ends as a killed process does, leases and all left behind. */
  die(): void;
}

/** A free line is left so long to those whose share has room; then whoever can takes it. */
const FREE_FOR_MS = 3_000;
/** A line that moves is waited for so long at its new place before the next one moves. */
const ARRIVES_WITHIN_MS = 15_000;
/** Only a line that has been connected for so long moves: one that is being linked, or that comes and goes, is left alone. */
const STEADY_AFTER_MS = 2_000;
/** A line that nobody else would run stays here so long. */
const STAYS_FOR_MS = 10 * 60_000;
const FREED = "line.freed";

interface Running {
  readonly line: Line;
  readonly host: DriverHost;
  readonly opened: AppliedState;
  readonly companyId: number;
  isEnded: boolean;
  /** It moves to another process, or is unlinked: nothing new is begun on it here. */
  isLeaving: boolean;
}

/** Runs the lines that this process holds a lease for, and takes those that nobody holds. */
export function createSupervisor(parts: SupervisorParts): Supervisor {
  const { services, driver, simulator } = parts;
  const { db, log, config, processes } = services;
  const owner = services.processes.name;
  const running = new Map<number, Running>();
  const timers: NodeJS.Timeout[] = [];
  /** Lines whose phones are being told that they are let go of: until that has ended, the line is not opened again here. */
  const unlinking = new Map<number, Promise<void>>();
  const freeSince = new Map<number, number>();
  /** Lines that came back because nobody else ran them, and when. */
  const staying = new Map<number, number>();
  let moved: { readonly id: number; readonly at: number } | undefined;
  const gate = createClientVersionCircuitBreaker(services, () => void look());
  let lastRenewal = performance.now();
  let looking: Promise<void> | undefined;
  let isWanted = false;
  let isStarted = false;
  let isStopped = false;

  async function look(): Promise<void> {
    if (!isStarted) {
      return;
    }
    isWanted = true;
    looking ??= (async () => {
      while (isWanted && !isStopped) {
        isWanted = false;
        await calmly(lookOnce);
      }
      looking = undefined;
    })();
    await looking;
  }

  async function lookOnce(): Promise<void> {
    const wishes = new Map((await findDesiredLines(db).then(withoutTheDead)).map((wish) => [wish.id, wish]));
    await Promise.all([...running].map(([id, line]) => follow(id, line, wishes.get(id))));
    await takeFree([...wishes.values()]);
    await moveOne([...wishes.values()]);
  }

  function shares(wishes: readonly DesiredLine[], states: Parameters<typeof processes.neighbours>[1]): LineBalance {
    const neighbours = processes.neighbours("lines", states).map(({ name }) => name);
    return balanceOf(owner, neighbours, wishes);
  }

  /** Leases of a killed process of this machine need not be waited for: after a crash lines are back at once. */
  async function withoutTheDead(wishes: readonly DesiredLine[]): Promise<readonly DesiredLine[]> {
    const left = Map.groupBy(
      wishes.filter(({ isLeased }) => isLeased),
      (wish) => wish.owner,
    );
    const freed = new Set<number>();
    for (const [dead, lines] of left) {
      if (dead !== null && isKnownDead(dead)) {
        const ids = lines.map(({ id }) => id);
        await releaseLeases(db, dead, ids);
        ids.forEach((id) => freed.add(id));
      }
    }
    return wishes.map((wish) => (freed.has(wish.id) ? { ...wish, isLeased: false, owner: null } : wish));
  }

  async function follow(id: number, current: Running, wish: DesiredLine | undefined): Promise<void> {
    if (unlinking.has(id)) {
      return;
    }
    const change = reconcileAction(current.opened, wish, current.host.writtenState());
    if (change === "repeat") {
      current.host.rewriteState();
    }
    if ((change === "keep" || change === "repeat") && !current.isEnded) {
      return;
    }
    if (change === "unlink") {
      unlink(id, current);
      return;
    }
    await current.line.stop();
    if (change === "release" && !current.isEnded) {
      // It is not connected any more; whoever opens it again goes on from here.
      current.host.onState({ status: "OPENING" });
    }
    await close(id, current);
  }

  /** Beside the looks: a phone that does not answer is waited for, and the other lines are not to wait with it. */
  function unlink(id: number, current: Running): void {
    current.isLeaving = true;
    const unlinked = calmly(async () => {
      // Without its row, or without its phone, there is nobody to tell: it ends all the same.
      await current.line.logout().catch((error: unknown) => log.debug({ err: error, line: id }, "not unlinked"));
      await close(id, current);
    }).finally(() => unlinking.delete(id));
    unlinking.set(id, unlinked);
    void unlinked.then(look);
  }

  async function takeFree(wishes: readonly DesiredLine[]): Promise<void> {
    const {
      probe: canary,
      allowed: free,
      blocked: held,
    } = await gate.partition(
      wishes.filter((wish) => shouldConnect(wish) && !running.has(wish.id) && !unlinking.has(wish.id)),
    );
    await Promise.all(held.map(showHeld));
    const now = performance.now();
    [...freeSince.keys()].filter((id) => !free.some((wish) => wish.id === id)).forEach((id) => freeSince.delete(id));
    free.filter(({ id }) => !freeSince.has(id)).forEach(({ id }) => freeSince.set(id, now));

    const chosen = linesToOpen(
      free,
      shares(wishes, ["starting", "ready"]),
      (id) => id === moved?.id,
      (id) => now - (freeSince.get(id) ?? now) > FREE_FOR_MS,
    ).slice(0, OPEN_AT_ONCE);
    const opened = canary ? [canary, ...chosen] : chosen;
    if (opened.length === 0 || isStopped) {
      return;
    }
    await open(opened);
  }

  async function open(free: readonly DesiredLine[]): Promise<void> {
    const ready = (await Promise.all(free.map(withSettings))).filter((each) => each !== undefined);
    if (ready.length === 0) {
      return;
    }
    const taken = await acquireLeases(
      db,
      owner,
      ready.map(({ wish }) => wish.id),
    );
    for (const { wish, settings } of ready) {
      if (taken.has(wish.id) && !isStopped) {
        if (wish.id === moved?.id) {
          staying.set(wish.id, performance.now());
          moved = undefined;
        }
        run(wish, settings);
      }
    }
    parts.onGrown();
  }

  /** Gives one line to a process that has fewer, once the one before has arrived: never two at a time. */
  async function moveOne(wishes: readonly DesiredLine[]): Promise<void> {
    const now = performance.now();
    const last = wishes.find(({ id }) => id === moved?.id);
    const isUnderWay = last !== undefined && !(last.isLeased && last.status === "CONNECTED");
    const isSomeFree = wishes.some((wish) => isMovable(wish) && shouldConnect(wish));
    if (isStopped || isSomeFree || (moved && isUnderWay && now - moved.at < ARRIVES_WITHIN_MS)) {
      return;
    }
    moved = undefined;
    if (!hasSurplus(shares(wishes, ["ready"]))) {
      return;
    }
    const shared = new Set(wishes.filter(isMovable).map(({ id }) => id));
    const candidate = [...running].findLast(([id, { host, isEnded, isLeaving }]) => {
      const shown = host.writtenState();
      const isSteady = !isEnded && !isLeaving && shown?.status === "CONNECTED" && shown.forMs > STEADY_AFTER_MS;
      return shared.has(id) && isSteady && now - (staying.get(id) ?? -STAYS_FOR_MS) >= STAYS_FOR_MS;
    });
    if (candidate) {
      const [id, current] = candidate;
      moved = { id, at: now };
      log.info({ line: id }, "a line moves to a process that has fewer");
      await give(id, current, { status: "OPENING" });
    }
  }

  /** What is under way on the line is finished, what waits for it waits for the next owner. */
  async function give(id: number, current: Running, lastState?: LineState): Promise<void> {
    current.isLeaving = true;
    await current.line.stop();
    if (lastState && !current.isEnded) {
      current.host.onState(lastState);
    }
    await close(id, current);
    services.pubsub.publish(current.companyId, FREED, String(id), id);
  }

  /** A line that waits for another client version says so: people would look for a fault of their own. */
  async function showHeld({ id, companyId, status, reason }: DesiredLine): Promise<void> {
    const isShown = status === "DISCONNECTED" && reason === "versionRefused";
    // With its lease: a process of another version may have opened it meanwhile.
    if (!isShown && (await acquireLeases(db, owner, [id])).has(id)) {
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

  async function withSettings(wish: DesiredLine) {
    try {
      return { wish, settings: await settingsFor(wish, config, simulator) };
    } catch (error) {
      log.warn({ err: error, line: wish.id }, "a line cannot be opened here");
      return undefined;
    }
  }

  function run(wish: DesiredLine, settings: Parameters<Driver["open"]>[1]): void {
    const { id, companyId, provider, round, pairingNumber } = wish;
    const host = createDriverHost({
      services,
      companyId,
      connectionId: id,
      round,
      owner,
      ingest: parts.ingest,
      onTyping: parts.onTyping,
      onStateChange: (state) => gate.recordState(provider, state),
      onEnded: () => {
        const line = running.get(id);
        if (line?.host === host) {
          line.isEnded = true;
        }
      },
      onLeaseLost: () => drop(id),
    });
    const line = driver.open(host, settings);
    running.set(id, {
      line,
      host,
      companyId,
      opened: { provider, round, pairingNumber },
      isEnded: false,
      isLeaving: false,
    });
  }

  /** The line has ended: its last words are written, then anybody may take it. */
  async function close(id: number, current: Running): Promise<void> {
    await current.host.flushed();
    if (running.get(id) === current) {
      running.delete(id);
      await releaseLeases(db, owner, [id]);
      isWanted = true;
    }
  }

  function drop(id: number): void {
    log.warn({ line: id }, "the lease of a line was lost");
    running.get(id)?.line.drop();
    running.delete(id);
  }

  async function renew(): Promise<void> {
    const ids = [...running.keys()];
    if (ids.length > 0) {
      const kept = await renewLeases(db, owner, ids);
      ids.filter((id) => !kept.has(id) && running.has(id)).forEach(drop);
    }
    lastRenewal = performance.now();
  }

  function dropWhenInDoubt(): void {
    if (performance.now() - lastRenewal > DOUBT_MS) {
      [...running.keys()].forEach(drop);
      lastRenewal = performance.now();
    }
  }

  async function calmly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, "the lines could not reach the database");
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
      timers.push(setInterval(() => void look(), LOOK_MS).unref());
      timers.push(setInterval(() => void calmly(renew), RENEW_MS).unref());
      timers.push(setInterval(dropWhenInDoubt, LOOK_MS).unref());
      lastRenewal = performance.now();
      processes.onChange(() => void look());
      services.pubsub.subscribe(FREED, z.number(), () => void look());
      await look();
    },
    look,
    async stop() {
      isStopped = true;
      await looking;
      timers.forEach(clearInterval);
      // Each is given back as soon as it has drained: none waits for the slowest.
      await Promise.all([...running].map(([id, line]) => unlinking.get(id) ?? give(id, line)));
      await services.pubsub.flush();
    },
    die() {
      isStopped = true;
      timers.forEach(clearInterval);
      running.forEach(({ line }) => line.drop());
      running.clear();
    },
  };
}
