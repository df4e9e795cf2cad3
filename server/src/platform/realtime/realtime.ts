import type { Server as HttpServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { socketRules } from "@prosa/contract";
import { Server } from "socket.io";
import { companyClosedError } from "../auth/index.ts";
import type { UserActor } from "../ctx.ts";
import type { RecordedEvent } from "../events/index.ts";
import type { Services } from "../services.ts";
import { acceptSockets } from "./connection.ts";
import type { Connected } from "./connection.ts";
import { createDelivery } from "./delivery.ts";
import { emissionsOf, refetchEvent } from "./emissions.ts";
import type { Refetch } from "./emissions.ts";
import { scoped } from "./parts.ts";
import type { EventHandler, EventTools, JoinArgument, JoinHandler, Live, LiveSockets } from "./parts.ts";
import { createPresence } from "./presence.ts";
import type { Presence } from "./presence.ts";
import { createReplay } from "./replay.ts";

/** What a feature may ask for when rights changed. */
export interface SocketControl {
  /** The user's queues or profile changed: their rooms are asked for again, and their screens fetched anew if any changed. */
  resync(userId: number): void;
  /** The company was switched off, or another day is its last one: sockets that may stay no longer are closed. */
  recheckCompany(companyId: number): void;
  /** Ends every socket of the session, at once. */
  endSession(sessionId: string): void;
}

export interface Realtime extends SocketControl {
  /** Hands on one batch of the tail; resolves when its packets are written. */
  tell(batch: readonly RecordedEvent[], cursor: string): Promise<void>;
  /** The database began a new life: everybody fetches anew. */
  reset(): void;
  readonly presence: Presence;
  /** Tells every browser to come back elsewhere, then closes. */
  close(): Promise<void>;
}

export interface RealtimeOptions {
  readonly server: HttpServer;
  readonly services: Services;
  readonly events: ReadonlyMap<string, EventHandler>;
  readonly joins: ReadonlyMap<string, JoinHandler>;
  /** What features tell without storing it; made with the sockets of this process. */
  readonly lives?: readonly ((sockets: LiveSockets) => Live)[];
  /** The tail's place. */
  readonly cursor: () => string;
}

const GONE_WITHIN_MS = 1_000;
/** How late a silent socket is closed whose company's last day is over; nothing is told to it in between. */
const OVERDUE_LOOK_MS = 5_000;

/** Sockets of this process: Socket.IO over websocket only, no compression (13 µs a delivery, measured). */
export function createRealtime({ server, services, events, joins, lives = [], cursor }: RealtimeOptions): Realtime {
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
  const delivery = createDelivery(io, metrics);
  const presence = createPresence(db, (error) => log.warn({ err: error }, "presence could not be written"));
  const present = new Map<string, Connected>();
  let nextEnd = Number.POSITIVE_INFINITY;

  const sockets: LiveSockets = {
    usersIn(companyId, rooms) {
      const ids = rooms.flatMap((room) => [...(io.sockets.adapter.rooms.get(scoped(companyId, room)) ?? [])]);
      const actors = ids.flatMap((id) => present.get(id)?.user().actor ?? []);
      return [...new Map(actors.map((actor) => [actor.userId, actor])).values()];
    },
    tell(companyId, emissions) {
      closeOverdue();
      return delivery.deliver(companyId, emissions);
    },
  };
  const live = lives.map((make) => make(sockets));
  live.forEach((part) => part.start());
  const moved = ({ user }: Connected, name: string, argument: JoinArgument) =>
    live.forEach((part) => part.onMoved?.(user().actor.companyId, name, argument));

  acceptSockets(io, {
    ...services,
    joins,
    onMoved: moved,
    says: new Map(live.flatMap((part) => Object.entries(part.says ?? {}))),
    delivery,
    mostSockets: config.limits.sessionSockets,
    cursor,
    missedSince: createReplay(db, events),
    onConnected(connected) {
      const { companyId, userId } = connected.user().actor;
      present.set(connected.socket.id, connected);
      nextEnd = Math.min(nextEnd, connected.endsAt());
      metrics.sockets.set(present.size);
      presence.came(companyId, userId);
    },
    onGone(connected) {
      const { companyId, userId } = connected.user().actor;
      if (present.delete(connected.socket.id)) {
        metrics.sockets.set(present.size);
        presence.left(companyId, userId);
        connected.membership.all().forEach(({ name, argument }) => moved(connected, name, argument));
      }
    },
    onUserStatus(connected) {
      const { companyId, userId } = connected.user().actor;
      presence.touch(companyId, userId);
    },
  });

  function toolsFor(companyId: number): EventTools {
    const actor = { kind: "system", companyId, reason: "realtime" } as const;
    return { companyId, log, now: () => clock.now(), read: (work) => db.read({ actor, companyId, log, clock }, work) };
  }

  /** Nothing reaches a company after its last paid day; the next look is when the next day ends. */
  function closeOverdue(): void {
    const now = clock.now().getTime();
    if (now < nextEnd) {
      return;
    }
    const all = [...present.values()];
    all.filter((connected) => connected.endsAt() <= now).forEach(({ socket }) => socket.disconnect(true));
    nextEnd = Math.min(...all.map((connected) => connected.endsAt()).filter((end) => end > now));
  }
  const overdueLook = setInterval(closeOverdue, OVERDUE_LOOK_MS).unref();

  /** What the session may now; false where it is over or its company closed, and then the socket is closed too. */
  async function recheck({ socket, user, become, endsAt }: Connected): Promise<boolean> {
    const { userId, companyId, sessionId } = user().actor;
    sessions.forgetSession(sessionId);
    const session = await sessions.load({ userId, companyId, sessionId });
    if (!session || companyClosedError(session, clock.now())) {
      socket.disconnect(true);
      return false;
    }
    become(session);
    nextEnd = Math.min(nextEnd, endsAt());
    return true;
  }

  async function review(connected: Connected): Promise<void> {
    const { socket, membership } = connected;
    if (!(await recheck(connected))) {
      return;
    }
    const before = membership.all();
    if (await membership.review()) {
      before.forEach(({ name, argument }) => moved(connected, name, argument));
      socket.emit(refetchEvent, { withinMs: 0 } satisfies Refetch);
    }
  }

  /** With each socket of these people; one about which nothing can be found out is closed, and comes back. */
  function withEach(whose: (actor: UserActor) => boolean, look: (connected: Connected) => Promise<unknown>): void {
    for (const connected of present.values()) {
      const { actor } = connected.user();
      if (whose(actor)) {
        look(connected).catch((error: unknown) => {
          log.warn({ err: error, userId: actor.userId }, "a socket could not be reviewed and is closed");
          connected.socket.disconnect(true);
        });
      }
    }
  }

  return {
    presence,
    async tell(batch, at) {
      closeOverdue();
      // Companies wait for each other only while packets are written, not while views are read.
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
    reset() {
      io.emit(refetchEvent, { withinMs: 10_000 } satisfies Refetch);
    },
    resync: (userId) => withEach((actor) => actor.userId === userId, review),
    recheckCompany: (companyId) => withEach((actor) => actor.companyId === companyId, recheck),
    endSession(sessionId) {
      for (const { socket, user } of present.values()) {
        if (user().actor.sessionId === sessionId) {
          socket.disconnect(true);
        }
      }
    },
    async close() {
      clearInterval(overdueLook);
      presence.stop();
      live.forEach((part) => part.stop());
      io.emit("restarting", { withinMs: 3_000 });
      // Not `io.close`: that closes the HTTP server as well, and waits for its last connection.
      io.disconnectSockets(true);
      await goneWithin(io, GONE_WITHIN_MS);
      io.engine.close();
    },
  };
}

/** Browsers answer to the end of their socket; one that does not is not waited for. */
async function goneWithin(io: Server, ms: number): Promise<void> {
  const giveUpAt = performance.now() + ms;
  while (io.engine.clientsCount > 0 && performance.now() < giveUpAt) {
    await sleep(20, undefined, { ref: false });
  }
}

/** For a process without sockets. */
export const noSockets: SocketControl = {
  resync: () => undefined,
  recheckCompany: () => undefined,
  endSession: () => undefined,
};
