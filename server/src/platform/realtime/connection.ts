import type { Server, Socket } from "socket.io";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { companyClosedError } from "../auth/index.ts";
import type { AccessTokens, LiveSession, Sessions } from "../auth/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Db } from "../db/index.ts";
import { createBucket } from "../http/limits/index.ts";
import type { Logger } from "../log/index.ts";
import type { Delivery } from "./delivery.ts";
import { refetchEvent } from "./emissions.ts";
import type { Refetch } from "./emissions.ts";
import { isFor } from "./audiences.ts";
import { guardConnections } from "./connection-guard.ts";
import { createMembership } from "./membership.ts";
import type { Membership } from "./membership.ts";
import type { EventTools, JoinArgument, JoinHandler, EphemeralFeature, SocketUser } from "./types.ts";
import type { Missed } from "./replay.ts";
import { createSocketLimit } from "./session-socket-limit.ts";

/** A connected socket with its rooms and its session. */
export interface ConnectedSocket {
  readonly socket: Socket;
  readonly membership: Membership;
  readonly user: () => SocketUser;
  /** End of the company's last paid day or of the support's consent, in ms since 1970; then the socket is closed. */
  readonly endsAt: () => number;
  /** When the session is over, unless it was renewed since; then it is loaded again. */
  readonly expiresAt: () => number;
  /** Replaces the session after its rights changed. */
  updateSession(session: LiveSession): void;
}

export interface ConnectionDeps {
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly joins: ReadonlyMap<string, JoinHandler>;
  readonly delivery: Delivery;
  readonly maxSocketsPerSession: number;
  readonly cursor: () => string;
  readonly loadMissed: (tools: EventTools, cursor: string) => Promise<Missed>;
  readonly onConnected: (connected: ConnectedSocket) => void;
  /** Loads the session again. When it has ended or its company is closed, disconnects the socket and returns false. */
  readonly renewSession: (connected: ConnectedSocket) => Promise<boolean>;
  readonly onDisconnected: (connected: ConnectedSocket) => void;
  readonly onUserStatus: (connected: ConnectedSocket) => void;
  /** The socket joined or left a room. */
  readonly onRoomsChanged: (connected: ConnectedSocket, name: string, argument: JoinArgument) => void;
  readonly clientEvents: ReadonlyMap<string, NonNullable<EphemeralFeature["clientEvents"]>[string]>;
}

const joinArgument = z.union([z.string().max(100), z.number(), z.null().transform(() => undefined)]).optional();

/** Handshake data of a browser. */
const handshake = z.object({
  token: z.string().max(4_000),
  /** Its stream position when it lost the connection. */
  cursor: z.string().max(4_000).optional(),
  /** Rooms to join again before missed packets are replayed: `[["joinChatBox", 42], …]`. */
  joins: z
    .array(z.tuple([z.string().max(40), joinArgument]))
    .max(50)
    .default([]),
});

/** Of one session: twenty tabs that come back together, twice. Beyond it a refetch, which the limits of requests bound. */
const replayRate = { max: 40, perSeconds: 60 } as const;
/** Rate limit of packets from one socket. A browser that opens every conversation of a list stays far below. */
const packetRate = { max: 200, perSeconds: 10 } as const;

/** Accepts sockets: handshake, rooms, replay of missed packets, `ready`; then joins and leaves (behaviour 2). */
export function acceptSockets(io: Server, deps: ConnectionDeps): void {
  const socketLimit = createSocketLimit(deps.maxSocketsPerSession);
  const mayReplay = createReplayLimit();
  guardConnections(io, deps.log);
  io.use((socket, next) => {
    authenticateHandshake(socket, deps, socketLimit).then(
      () => next(),
      (error: unknown) => next(error instanceof HandshakeRefusal ? error : new HandshakeRefusal("ERR_INTERNAL")),
    );
  });
  io.on("connection", (socket) => void openConnection(socket, deps, mayReplay));
}

/** False where a session has had many replays lately. */
function createReplayLimit(): (sessionId: string) => boolean {
  const buckets = new LRUCache<string, () => boolean>({ max: 10_000 });
  return (sessionId) => {
    const take = buckets.get(sessionId) ?? createBucket(replayRate);
    buckets.set(sessionId, take);
    return take();
  };
}

/**
 * Error of a refused handshake. The browser reads `message`: ERR_SESSION_EXPIRED and
 * ERR_NOT_SIGNED_IN make it renew the token, and sign out if that fails; ERR_COMPANY_DISABLED and ERR_SUBSCRIPTION_EXPIRED show that the company is closed,
 * ERR_TOO_MANY_SOCKETS asks to close other tabs.
 */
class HandshakeRefusal extends Error {}

async function authenticateHandshake(
  socket: Socket,
  { tokens, sessions, clock }: ConnectionDeps,
  socketLimit: ReturnType<typeof createSocketLimit>,
): Promise<void> {
  const { auth, query } = socket.handshake;
  const parsed = handshake.safeParse({ ...auth, token: auth["token"] ?? query["token"] });
  if (!parsed.success) {
    throw new HandshakeRefusal("ERR_NOT_SIGNED_IN");
  }
  const claims = await tokens.verify(parsed.data.token);
  if (!claims) {
    throw new HandshakeRefusal("ERR_SESSION_EXPIRED");
  }
  const session = await sessions.load(claims);
  if (!session) {
    throw new HandshakeRefusal("ERR_NOT_SIGNED_IN");
  }
  const closed = companyClosedError(session, clock.now());
  if (closed) {
    throw new HandshakeRefusal(closed.code);
  }
  if (!socketLimit.acquire(claims.sessionId, socket)) {
    throw new HandshakeRefusal("ERR_TOO_MANY_SOCKETS");
  }
  socket.data = { session, handshake: parsed.data };
}

async function openConnection(
  socket: Socket,
  deps: ConnectionDeps,
  mayReplay: (sessionId: string) => boolean,
): Promise<void> {
  const { session, handshake: requested } = socket.data as {
    session: LiveSession;
    handshake: z.output<typeof handshake>;
  };
  const connected = connect(socket, session, deps);
  const { membership } = connected;
  deps.delivery.hold(socket.id);
  socket.on("disconnect", () => {
    deps.delivery.forget(socket.id);
    deps.onDisconnected(connected);
  });
  disconnectFlooder(socket, deps);
  handleClientEvents(connected, deps);

  try {
    await membership.joinOwnRooms();
    deps.onConnected(connected);
    // Between the handshake and onConnected neither endSession nor resync could find this socket.
    if (!(await deps.renewSession(connected))) {
      return;
    }
    // Joins of a browser that does not wait for `ready`.
    await membership.reevaluate();
    for (const [name, argument] of requested.joins) {
      await membership.join(name, argument);
      deps.onRoomsChanged(connected, name, argument);
    }
    const cursor =
      requested.cursor === undefined ? deps.cursor() : await replay(connected, requested.cursor, deps, mayReplay);
    deps.delivery.release(socket.id);
    socket.emit("ready", { cursor, epoch: cursor.split("~", 1)[0] });
  } catch (error) {
    // The browser reconnects by itself, and the database may be back then.
    deps.log.warn({ err: error }, "socket connection failed");
    socket.disconnect(true);
  }
}

/** Disconnects a socket over the packet rate: each packet costs a query, so a flood would delay everybody else. */
function disconnectFlooder(socket: Socket, { log }: ConnectionDeps): void {
  const take = createBucket(packetRate);
  socket.use((_packet, next) => {
    if (take()) {
      next();
    } else if (socket.connected) {
      log.warn("socket disconnected: too many packets");
      socket.disconnect(true);
    }
  });
}

function connect(socket: Socket, session: LiveSession, deps: ConnectionDeps): ConnectedSocket {
  let user = socketUser(session, deps);
  let endsAt = endOf(session);
  let { expiresAt } = session;
  return {
    socket,
    membership: createMembership(socket, () => user, deps.joins),
    user: () => user,
    endsAt: () => endsAt,
    expiresAt: () => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    updateSession(next) {
      user = socketUser(next, deps);
      endsAt = endOf(next);
      ({ expiresAt } = next);
    },
  };
}

function endOf({ paid, endsAt }: LiveSession): number {
  const never = Number.POSITIVE_INFINITY;
  return Math.min(paid?.endsAt.getTime() ?? never, endsAt?.getTime() ?? never);
}

function socketUser({ actor }: LiveSession, { db, clock, log }: ConnectionDeps): SocketUser {
  return { actor, log, read: (work) => db.read({ actor, companyId: actor.companyId, log, clock }, work) };
}

function handleClientEvents(connected: ConnectedSocket, deps: ConnectionDeps): void {
  const { socket, membership } = connected;
  const on = (name: string, handle: (argument: JoinArgument) => Promise<unknown>) =>
    socket.on(name, (argument: unknown, answer: unknown) => {
      const parsed = joinArgument.safeParse(typeof argument === "function" ? undefined : argument);
      const acknowledge = [argument, answer].find((value) => typeof value === "function") as
        ((done: unknown) => void) | undefined;
      if (connected.endsAt() <= deps.clock.now().getTime()) {
        socket.disconnect(true);
        return;
      }
      if (!parsed.success) {
        acknowledge?.(false);
        return;
      }
      handle(parsed.data).then(
        (done) => acknowledge?.(done ?? true),
        (error: unknown) => {
          deps.log.warn({ err: error, name }, "join failed");
          acknowledge?.(false);
        },
      );
    });

  for (const name of deps.joins.keys()) {
    on(name, async (argument) => {
      const isIn = await membership.join(name, argument);
      deps.onRoomsChanged(connected, name, argument);
      return isIn;
    });
    on(name.replace(/^join/, "leave"), async (argument) => {
      await membership.leave(name, argument);
      deps.onRoomsChanged(connected, name, argument);
    });
  }
  for (const [name, handle] of deps.clientEvents) {
    socket.on(name, (...values: readonly unknown[]) => {
      if (connected.user().actor.support) {
        // Who looks in as support neither types to customers nor is seen among the viewers.
        return;
      }
      handle(connected.user(), ...values).catch((error: unknown) =>
        deps.log.warn({ err: error, name }, "client event failed"),
      );
    });
  }
  on("userStatus", async () => deps.onUserStatus(connected));
}

/**
 * Sends the packets that the socket missed in its rooms; returns the cursor to go on from. Only `ready` carries the
 * cursor, so a socket that is cut off during the replay comes back with its old one.
 */
async function replay(
  { socket, membership, user }: ConnectedSocket,
  since: string,
  deps: ConnectionDeps,
  mayReplay: (sessionId: string) => boolean,
): Promise<string> {
  const { actor, read, log } = user();
  const { companyId, sessionId } = actor;
  if (!mayReplay(sessionId)) {
    return requestRefetch(socket, deps.cursor());
  }
  const missed = await deps.loadMissed({ companyId, log, now: () => deps.clock.now(), read }, since);
  if (missed.kind === "refetch") {
    return requestRefetch(socket, missed.cursor);
  }
  const mine = missed.emissions.filter((emission) => isFor(emission, membership.isIn));
  mine.forEach(({ event, payload }) => socket.emit(event, payload));
  return missed.cursor;
}

/** Returns the cursor to go on from. */
function requestRefetch(socket: Socket, cursor: string): string {
  socket.emit(refetchEvent, { withinMs: 3_000 } satisfies Refetch);
  return cursor;
}
