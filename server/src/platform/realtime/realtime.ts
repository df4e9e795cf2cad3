import type { Server as HttpServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { socketRules } from "@prosa/contract";
import PQueue from "p-queue";
import { Server } from "socket.io";
import { companyClosedError } from "../auth/index.ts";
import { setCoalescedInterval } from "../clock/index.ts";
import type { UserActor } from "../ctx.ts";
import type { RecordedEvent } from "../events/index.ts";
import type { Services } from "../services.ts";
import { acceptSockets } from "./connection.ts";
import type { ConnectedSocket } from "./connection.ts";
import { createDelivery } from "./delivery.ts";
import { emissionsOf, refetchEvent } from "./emissions.ts";
import type { Refetch } from "./emissions.ts";
import { scoped } from "./types.ts";
import type {
  EventHandler,
  EventTools,
  JoinArgument,
  JoinHandler,
  EphemeralFeature,
  EphemeralSockets,
} from "./types.ts";
import { createPresence } from "./presence.ts";
import type { Presence } from "./presence.ts";
import { createReplay } from "./replay.ts";

/** Commands to the sockets of this process, for features whose events change rights. */
export interface SocketControl {
  /** After a change of the user's queues or profile: reevaluates their rooms and requests a refetch when one changed. */
  resync(userId: number): void;
  /** The same for all sockets of a company, a few at a time: after something went that rights of many users named, as a queue. */
  resyncCompany(companyId: number): void;
  /** After the company was disabled or its due date changed: disconnects sockets that may not stay. */
  recheckCompany(companyId: number): void;
  /** Disconnects every socket of the session, and of the support sessions that were entered from it. */
  endSession(sessionId: string): void;
}

export interface Realtime extends SocketControl {
  /** Publishes one batch of the event tail; resolves when its packets are written. */
  publish(batch: readonly RecordedEvent[], cursor: string): Promise<void>;
  /**
   * Asks every browser to refetch, after rows changed without events (restart, crash, restore, move). Sessions and rights may be
   * among them, so every socket is reviewed too, a few at a time.
   */
  requestRefetch(): void;
  readonly presence: Presence;
  /** Asks every browser to reconnect to another process, then closes. */
  close(): Promise<void>;
}

export interface RealtimeOptions {
  readonly server: HttpServer;
  readonly services: Services;
  readonly events: ReadonlyMap<string, EventHandler>;
  readonly joins: ReadonlyMap<string, JoinHandler>;
  /** Features that publish ephemeral state; made with the sockets of this process. */
  readonly ephemeralFeatures?: readonly ((sockets: EphemeralSockets) => EphemeralFeature)[];
  /** Cursor of the event tail. */
  readonly cursor: () => string;
}

const DISCONNECT_WITHIN_MS = 1_000;
/** Maximum delay until an idle socket is closed after its company's due date. Nothing is published to it in between. */
const OVERDUE_CHECK_MS = 5_000;

/** Sockets of this process: Socket.IO over websocket only, without compression. */
export function createRealtime({
  server,
  services,
  events,
  joins,
  ephemeralFeatures = [],
  cursor,
}: RealtimeOptions): Realtime {
  const { config, db, clock, log, metrics, sessions } = services;
  const io = new Server(server, {
    transports: ["websocket"],
    perMessageDeflate: false,
    httpCompression: false,
    serveClient: false,
    pingInterval: socketRules.pingIntervalMs,
    pingTimeout: socketRules.pingTimeoutMs,
    maxHttpBufferSize: 100_000,
    connectTimeout: 15_000,
  });
  const delivery = createDelivery(io, metrics, log);
  const presence = createPresence(db, (error) => log.warn({ err: error }, "presence not saved"));
  const connections = new Map<string, ConnectedSocket>();
  /** Reviews of all sockets at once would keep the database from the requests. */
  const reviews = new PQueue({ concurrency: 4 });
  let nextEnd = Number.POSITIVE_INFINITY;

  const sockets: EphemeralSockets = {
    usersIn(companyId, rooms) {
      const ids = rooms.flatMap((room) => [...(io.sockets.adapter.rooms.get(scoped(companyId, room)) ?? [])]);
      const actors = ids.flatMap((id) => connections.get(id)?.user().actor ?? []).filter(({ support }) => !support);
      return [...new Map(actors.map((actor) => [actor.userId, actor])).values()];
    },
    publish(companyId, emissions) {
      closeOverdue();
      return delivery.deliver(companyId, emissions);
    },
  };
  const ephemeral = ephemeralFeatures.map((make) => make(sockets));
  ephemeral.forEach((each) => each.start());
  const roomsChanged = ({ user }: ConnectedSocket, name: string, argument: JoinArgument) =>
    ephemeral.forEach((each) => each.onRoomsChanged?.(user().actor.companyId, name, argument));

  acceptSockets(io, {
    ...services,
    joins,
    onRoomsChanged: roomsChanged,
    clientEvents: new Map(ephemeral.flatMap((each) => Object.entries(each.clientEvents ?? {}))),
    delivery,
    maxSocketsPerSession: config.limits.sessionSockets,
    cursor,
    loadMissed: createReplay(db, events),
    onConnected(connected) {
      const { companyId, userId, support } = connected.user().actor;
      connections.set(connected.socket.id, connected);
      nextEnd = Math.min(nextEnd, connected.endsAt(), connected.expiresAt());
      metrics.sockets.set(connections.size);
      if (!support) {
        presence.connected(companyId, userId);
      }
    },
    renewSession,
    onDisconnected(connected) {
      const { companyId, userId, support } = connected.user().actor;
      if (connections.delete(connected.socket.id)) {
        metrics.sockets.set(connections.size);
        if (!support) {
          presence.disconnected(companyId, userId);
        }
        connected.membership.all().forEach(({ name, argument }) => roomsChanged(connected, name, argument));
      }
    },
    onUserStatus(connected) {
      const { companyId, userId, support } = connected.user().actor;
      if (!support) {
        presence.renew(companyId, userId);
      }
    },
  });

  function toolsFor(companyId: number): EventTools {
    const actor = { kind: "system", companyId, reason: "realtime" } as const;
    return { companyId, log, now: () => clock.now(), read: (work) => db.read({ actor, companyId, log, clock }, work) };
  }

  /** Disconnects sockets of companies whose due date has passed, and loads expired sessions again. Returns at once until the next such moment. */
  function closeOverdue(): void {
    const now = clock.now().getTime();
    if (now < nextEnd) {
      return;
    }
    const all = [...connections.values()];
    nextEnd = Math.min(...all.flatMap(({ endsAt, expiresAt }) => [endsAt(), expiresAt()]).filter((end) => end > now));
    for (const connected of all) {
      if (connected.endsAt() <= now) {
        connected.socket.disconnect(true);
      } else if (connected.expiresAt() <= now) {
        // The browser has renewed it, as it does every quarter of an hour, or is gone.
        void updateOrDisconnect(connected, recheck);
      }
    }
  }
  const endOverdueChecks = setCoalescedInterval(closeOverdue, OVERDUE_CHECK_MS);

  async function recheck(connected: ConnectedSocket): Promise<boolean> {
    sessions.forgetSession(connected.user().actor.sessionId);
    return renewSession(connected);
  }

  async function renewSession({ socket, user, updateSession, endsAt, expiresAt }: ConnectedSocket): Promise<boolean> {
    const session = await sessions.load(user().actor);
    if (!session || companyClosedError(session, clock.now())) {
      socket.disconnect(true);
      return false;
    }
    updateSession(session);
    nextEnd = Math.min(nextEnd, endsAt(), expiresAt());
    return true;
  }

  /** What is published meanwhile waits: it may be of a room that is lost, and each join of the socket is a query. */
  async function review(connected: ConnectedSocket): Promise<void> {
    const { socket, membership } = connected;
    delivery.hold(socket.id);
    try {
      if (!(await recheck(connected))) {
        return;
      }
      const before = membership.all();
      if (await membership.reevaluate()) {
        before.forEach(({ name, argument }) => roomsChanged(connected, name, argument));
        socket.emit(refetchEvent, { withinMs: 0 } satisfies Refetch);
      }
    } finally {
      delivery.release(socket.id);
    }
  }

  type Update = (connected: ConnectedSocket) => Promise<unknown>;

  /** A socket whose update fails is disconnected; the browser reconnects. */
  async function updateOrDisconnect(connected: ConnectedSocket, update: Update): Promise<void> {
    try {
      await update(connected);
    } catch (error) {
      log.warn({ err: error, userId: connected.user().actor.userId }, "socket update failed; socket disconnected");
      connected.socket.disconnect(true);
    }
  }

  /** Runs `update` for the sockets of these users. */
  function updateEach(isAffected: (actor: UserActor) => boolean, update: Update): void {
    for (const connected of connections.values()) {
      if (isAffected(connected.user().actor)) {
        void updateOrDisconnect(connected, update);
      }
    }
  }

  /** Reviews these sockets, a few at a time. */
  function reviewEach(isAffected: (actor: UserActor) => boolean): void {
    for (const connected of connections.values()) {
      if (isAffected(connected.user().actor)) {
        void reviews.add(async () => {
          if (connected.socket.connected) {
            await updateOrDisconnect(connected, review);
          }
        });
      }
    }
  }

  return {
    presence,
    async publish(batch, at) {
      closeOverdue();
      // Views of different companies are read in parallel; only writing packets is sequential.
      const byCompany = Map.groupBy(batch, ({ companyId }) => companyId);
      await Promise.all(
        [...byCompany].map(async ([companyId, own]) => {
          if (delivery.hasSockets(companyId)) {
            await delivery.deliver(companyId, await emissionsOf(own, events, toolsFor(companyId)), at);
          }
        }),
      );
      const newest = batch.at(-1)?.at;
      if (newest) {
        metrics.tailLag.set(Math.max(0, Date.now() - newest.getTime()));
      }
    },
    requestRefetch() {
      io.emit(refetchEvent, { withinMs: 10_000 } satisfies Refetch);
      reviews.clear();
      reviewEach(() => true);
    },
    resync: (userId) => updateEach((actor) => actor.userId === userId, review),
    resyncCompany: (companyId) => reviewEach((actor) => actor.companyId === companyId),
    recheckCompany: (companyId) => updateEach((actor) => actor.companyId === companyId, recheck),
    endSession(sessionId) {
      for (const { socket, user } of connections.values()) {
        const { actor } = user();
        if (actor.sessionId === sessionId || actor.support?.homeSessionId === sessionId) {
          socket.disconnect(true);
        }
      }
    },
    async close() {
      endOverdueChecks();
      reviews.clear();
      presence.stop();
      ephemeral.forEach((each) => each.stop());
      io.emit("restarting", { withinMs: 3_000 });
      // Not `io.close`, which also closes the HTTP server and waits for its last connection.
      io.disconnectSockets(true);
      await waitForDisconnects(io, DISCONNECT_WITHIN_MS);
      io.engine.close();
    },
  };
}

/** Waits for browsers to confirm the disconnect, at most `ms`. */
async function waitForDisconnects(io: Server, ms: number): Promise<void> {
  const giveUpAt = performance.now() + ms;
  while (io.engine.clientsCount > 0 && performance.now() < giveUpAt) {
    await sleep(20, undefined, { ref: false });
  }
}

/** Does nothing: for a process without the role realtime. */
export const noSockets: SocketControl = {
  resync: () => undefined,
  resyncCompany: () => undefined,
  recheckCompany: () => undefined,
  endSession: () => undefined,
};
