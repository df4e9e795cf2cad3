import type { Server, Socket } from "socket.io";
import { z } from "zod";
import { companyClosedError } from "../auth/index.ts";
import type { AccessTokens, LiveSession, Sessions } from "../auth/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Db } from "../db/index.ts";
import { refill } from "../http/limits/index.ts";
import type { Logger } from "../log/index.ts";
import type { Delivery } from "./delivery.ts";
import { refetchEvent } from "./emissions.ts";
import type { Refetch } from "./emissions.ts";
import { createMembership } from "./membership.ts";
import type { Membership } from "./membership.ts";
import type { EventTools, JoinArgument, JoinHandler, Live, SocketUser } from "./parts.ts";
import type { Missed } from "./replay.ts";
import { createSeats } from "./seats.ts";

/** A socket that is in: what `resync` and the end of a session need of it. */
export interface Connected {
  readonly socket: Socket;
  readonly membership: Membership;
  readonly user: () => SocketUser;
  /** When its company is closed to it, in ms since 1970: the last day that is paid for is over then. */
  readonly endsAt: () => number;
  /** Takes over what the session may now. */
  become(session: LiveSession): void;
}

export interface ConnectionDeps {
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly joins: ReadonlyMap<string, JoinHandler>;
  readonly delivery: Delivery;
  /** Of one session. */
  readonly mostSockets: number;
  readonly cursor: () => string;
  readonly missedSince: (tools: EventTools, cursor: string) => Promise<Missed>;
  readonly onConnected: (connected: Connected) => void;
  readonly onGone: (connected: Connected) => void;
  readonly onUserStatus: (connected: Connected) => void;
  /** It joined or left. */
  readonly onMoved: (connected: Connected, name: string, argument: JoinArgument) => void;
  readonly says: ReadonlyMap<string, NonNullable<Live["says"]>[string]>;
}

const joinArgument = z.union([z.string().max(100), z.number(), z.null().transform(() => undefined)]).optional();

/** What a browser sends with its handshake. */
const handshake = z.object({
  token: z.string().max(4_000),
  /** Where it was when it lost the connection. */
  cursor: z.string().max(4_000).optional(),
  /** The rooms it was in, entered before what it missed is replayed: `[["joinChatBox", 42], …]`. */
  joins: z
    .array(z.tuple([z.string().max(40), joinArgument]))
    .max(50)
    .default([]),
});

/** Far more than a browser says, even one that opens every conversation of a list. */
const mostSaid = { max: 200, perSeconds: 10 } as const;

/** Handshake, rooms, what was missed, `ready`; then joins and leaves as they come (behaviour 2). */
export function acceptSockets(io: Server, deps: ConnectionDeps): void {
  const seats = createSeats(deps.mostSockets);
  io.use((socket, next) => {
    admit(socket, deps, seats).then(
      () => next(),
      (error: unknown) => next(error instanceof HandshakeRefusal ? error : new HandshakeRefusal("ERR_INTERNAL")),
    );
  });
  io.on("connection", (socket) => void welcome(socket, deps));
}

/**
 * The browser reads `message` of a refused handshake: ERR_SESSION_EXPIRED refreshes, ERR_NOT_SIGNED_IN signs out,
 * ERR_COMPANY_DISABLED and ERR_SUBSCRIPTION_EXPIRED close the desk, ERR_TOO_MANY_SOCKETS asks to close other tabs.
 */
class HandshakeRefusal extends Error {}

async function admit(
  socket: Socket,
  { tokens, sessions, clock }: ConnectionDeps,
  seats: ReturnType<typeof createSeats>,
): Promise<void> {
  const { auth, query } = socket.handshake;
  const wishes = handshake.safeParse({ ...auth, token: auth["token"] ?? query["token"] });
  if (!wishes.success) {
    throw new HandshakeRefusal("ERR_NOT_SIGNED_IN");
  }
  const claims = await tokens.verify(wishes.data.token);
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
  if (!seats.take(claims.sessionId, socket)) {
    throw new HandshakeRefusal("ERR_TOO_MANY_SOCKETS");
  }
  socket.data = { session, wishes: wishes.data };
}

async function welcome(socket: Socket, deps: ConnectionDeps): Promise<void> {
  const { session, wishes } = socket.data as { session: LiveSession; wishes: z.output<typeof handshake> };
  const connected = connect(socket, session, deps);
  const { membership } = connected;
  deps.delivery.hold(socket.id);
  socket.on("disconnect", () => {
    deps.delivery.forget(socket.id);
    deps.onGone(connected);
  });
  endFlood(socket, deps);
  listen(connected, deps);

  try {
    await membership.enterOwnRooms();
    deps.onConnected(connected);
    // Its session may have ended after it was let in and before it could be found here.
    const still = await deps.sessions.load(session.actor);
    if (!still || companyClosedError(still, deps.clock.now())) {
      socket.disconnect(true);
      return;
    }
    for (const [name, argument] of wishes.joins) {
      await membership.join(name, argument);
      deps.onMoved(connected, name, argument);
    }
    const cursor = wishes.cursor === undefined ? deps.cursor() : await replay(connected, wishes.cursor, deps);
    deps.delivery.release(socket.id);
    socket.emit("ready", { cursor, epoch: cursor.split("~", 1)[0] });
  } catch (error) {
    // The browser comes back by itself, and finds the database again.
    deps.log.warn({ err: error }, "a socket could not be welcomed");
    socket.disconnect(true);
  }
}

/** Each thing said asks the database: one browser that says thousands would keep everybody else waiting. */
function endFlood(socket: Socket, { log }: ConnectionDeps): void {
  let bucket = { tokens: mostSaid.max as number, at: Date.now() };
  socket.use((_packet, next) => {
    const now = Date.now();
    bucket = { tokens: refill(bucket, mostSaid, now) - 1, at: now };
    if (bucket.tokens >= 0) {
      next();
    } else if (socket.connected) {
      log.warn("a socket said too much at once and is closed");
      socket.disconnect(true);
    }
  });
}

function connect(socket: Socket, session: LiveSession, deps: ConnectionDeps): Connected {
  let user = socketUser(session, deps);
  let endsAt = endOf(session);
  return {
    socket,
    membership: createMembership(socket, () => user, deps.joins),
    user: () => user,
    endsAt: () => endsAt,
    become(next) {
      user = socketUser(next, deps);
      endsAt = endOf(next);
    },
  };
}

function endOf({ paid }: LiveSession): number {
  return paid?.endsAt.getTime() ?? Number.POSITIVE_INFINITY;
}

function socketUser({ actor }: LiveSession, { db, clock, log }: ConnectionDeps): SocketUser {
  return { actor, log, read: (work) => db.read({ actor, companyId: actor.companyId, log, clock }, work) };
}

function listen(connected: Connected, deps: ConnectionDeps): void {
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
          deps.log.warn({ err: error, name }, "a join failed");
          acknowledge?.(false);
        },
      );
    });

  for (const name of deps.joins.keys()) {
    on(name, async (argument) => {
      const isIn = await membership.join(name, argument);
      deps.onMoved(connected, name, argument);
      return isIn;
    });
    on(name.replace(/^join/, "leave"), async (argument) => {
      const left = membership.all().filter((entry) => entry.name === name);
      await membership.leave(name, argument);
      left.forEach((entry) => deps.onMoved(connected, name, entry.argument));
    });
  }
  for (const [name, say] of deps.says) {
    socket.on(name, (...values: readonly unknown[]) => {
      say(connected.user(), ...values).catch((error: unknown) => deps.log.warn({ err: error, name }, "not understood"));
    });
  }
  on("userStatus", async () => deps.onUserStatus(connected));
}

/**
 * Sends what the socket missed, as far as its rooms go; returns the place where it goes on. The packets carry no
 * cursor, `ready` does: one that is cut in between comes back from where it was.
 */
async function replay({ socket, membership, user }: Connected, since: string, deps: ConnectionDeps): Promise<string> {
  const { actor, read, log } = user();
  const { companyId } = actor;
  const missed = await deps.missedSince({ companyId, log, now: () => deps.clock.now(), read }, since);
  if (missed.kind === "refetch") {
    socket.emit(refetchEvent, { withinMs: 3_000 } satisfies Refetch);
    return missed.cursor;
  }
  const mine = missed.emissions.filter(
    ({ rooms, except = [] }) =>
      rooms.some((room) => membership.isIn(room)) && !except.some((room) => membership.isIn(room)),
  );
  mine.forEach(({ event, payload }) => socket.emit(event, payload));
  return missed.cursor;
}
