/** The tab's one socket to the server: its state for the live chip, and the rooms that screens join. */
import { sessionRules } from "@prosa/contract/auth";
import type { clientEvents } from "@prosa/contract/events";
import { useLayoutEffect, useSyncExternalStore } from "react";
import type { Socket } from "socket.io-client";
import { handshake, advanceCursor, resumeStream, randomDelay, startPosition } from "./cursor.ts";
import { codeFetcher, isServerThere, RECONNECT_MS, RECONNECT_MS_MAX } from "./fetchCode.ts";
import { watchFetchRaces } from "./fetchRaces.ts";
import { refetchAll, refreshRights } from "./refetchAll.ts";
import { withOwnMedia } from "#web/lib/api/ownMedia.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { queryClient } from "#web/lib/records/queryClient.ts";
import { afterPaint } from "#web/lib/browser/useAfterPaint.ts";
import { leaveAtOnce } from "#web/lib/routing/router.tsx";
import { dispatch } from "./realtime.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { sessionCursor } from "#web/lib/session/event-cursor.ts";
import { currentSession, endSession, onSignedOut, renewToken } from "#web/lib/session/session.ts";
import { readStored } from "#web/lib/session/storage.ts";
import { tokenActionFor, readToken } from "#web/lib/session/token.ts";

/**
 * `connecting` is the first time; after that a lost socket is `offline`, and `catchingUp` until the server sends ready.
 * `crowded`: other tabs of this session hold all the sockets that it may have.
 */
export type LiveState = "connecting" | "live" | "catchingUp" | "offline" | "crowded";
type Join = Extract<(typeof clientEvents)[number], `join${string}`>;

interface Room {
  readonly join: Join;
  readonly argument: string | number | undefined;
  users: number;
  entered: Promise<unknown>;
  /** A fetch waits for the join until the first handshake is over. */
  isAwaited: boolean;
}

/** How long a fetch waits at most for the join of its room. */
const JOIN_WITHIN_MS = 3_000;
/** How long a fetch waits at most for the first handshake, which may never succeed behind some proxies. */
const OPEN_WITHIN_MS = 1_000;
/** Pause between two token renewals that did not help, so that a server that refuses everybody is not flooded. */
const RENEW_AGAIN_MS = 5_000;
/** Retry delay after a refusal that a new token does not change. */
const REFUSED_AGAIN_MS = 30_000;

const fetchRaces = watchFetchRaces(queryClient);
let socket: Socket | undefined;
let fetchSocket = (): void => undefined;
let isOpen = false;
let isReloadNeeded = false;
let refusals = 0;
let state: LiveState = "connecting";
let position = startPosition(undefined);
/** Settles when the first handshake is over, or has taken too long. */
let opening = Promise.resolve();
let endOpening = (_isIn: boolean): void => undefined;
let tokenTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
/** Rooms that screens joined, with a reference count: joined again after every reconnect. */
const rooms = new Map<string, Room>();
/** Rooms named in the handshake in flight. */
const announced = new Set<string>();

/** Opens the socket of the signed-in user; returns the function that closes it. */
export function openSocket(): () => void {
  let isClosed = false;
  isOpen = true;
  position = startPosition(sessionCursor());
  opening = new Promise((resolve) => {
    endOpening = (isIn) => {
      if (!isIn) {
        rooms.forEach((room) => (room.isAwaited = false));
      }
      endOpening = () => undefined;
      resolve();
    };
    setTimeout(() => endOpening(false), OPEN_WITHIN_MS);
  });
  const open = async () => {
    // Taken apart where it is fetched: the bundler leaves out what is not used of it.
    const { io } = await import("socket.io-client");
    if (isClosed) {
      return;
    }
    isReloadNeeded = false;
    socket = attachHandlers(
      io({
        transports: ["websocket"],
        // Evaluated on each attempt: current token, cursor and rooms. The server joins the rooms before it replays missed
        // events.
        auth: (give) => give({ token: readStored("token"), ...handshake(position), joins: announceRooms() }),
        reconnectionDelay: RECONNECT_MS,
        reconnectionDelayMax: RECONNECT_MS_MAX,
        randomizationFactor: 0.5,
      }),
    );
  };
  const code = codeFetcher(open, (isGone) => {
    endOpening(false);
    setState("offline");
    isReloadNeeded = isGone;
    tell();
  });
  fetchSocket = code.fetchNow;
  fetchSocket();

  const ping = setInterval(() => socket?.connected && socket.emit("userStatus"), sessionRules.userStatusEveryMs);
  const wake = () => document.visibilityState === "visible" && connectNow();
  window.addEventListener("online", connectNow);
  window.addEventListener("offline", goOffline);
  document.addEventListener("visibilitychange", wake);
  const stopListening = onSignedOut(close);
  watchToken();

  function close(): void {
    isClosed = true;
    isOpen = false;
    code.stop();
    clearInterval(ping);
    clearTimeout(tokenTimer);
    window.removeEventListener("online", connectNow);
    window.removeEventListener("offline", goOffline);
    document.removeEventListener("visibilitychange", wake);
    stopListening();
    socket?.disconnect();
    socket = undefined;
    fetchSocket = () => undefined;
    isReloadNeeded = false;
    endOpening(false);
    position = startPosition(undefined);
    setState("connecting");
  }
  return close;
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(watch, liveState);
}

export function liveState(): LiveState {
  return state;
}

/** Whether there are no events because the socket's code is gone from the server: only a new page helps. */
export function needsReload(): boolean {
  return isReloadNeeded;
}

/** Calls back on each change of the state; returns the function that stops it. */
export function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Keeps a room while the component is shown: `useRoom("joinChatBox", ticket.id)`. It is joined before the queries of
 * child components start (those begin in passive effects), so that they can wait for it.
 */
export function useRoom(join: Join, argument?: string | number, isWanted = true): void {
  useLayoutEffect(() => (isWanted ? joinRoom(join, argument) : undefined), [join, argument, isWanted]);
}

/**
 * Resolves once the server has confirmed the join of this room: a fetch that begins then misses no event. Without a socket
 * there is nothing to wait for, because the reconnect replays what was missed; except for the first handshake, which may
 * have begun before the room was known.
 */
export async function whenRoomJoined(join: Join, argument: string | number | undefined): Promise<void> {
  const room = rooms.get(keyOf(join, argument));
  if (room && socket?.connected !== true) {
    room.isAwaited = true;
  }
  await opening;
  await rooms.get(keyOf(join, argument))?.entered;
}

/** Emits without acknowledgement or retry, for example "is typing". False when the socket is down. */
export function emitToServer(event: string, ...values: readonly unknown[]): boolean {
  if (!socket?.connected) {
    return false;
  }
  socket.emit(event, ...values);
  return true;
}

function attachHandlers(opened: Socket): Socket {
  opened.on("connect", () => {
    setState(position.wasLive ? "catchingUp" : "connecting");
    // Joined while the handshake was in flight: what was fetched for these without waiting is fetched again.
    rooms.forEach((room, key) => !announced.has(key) && emitRoom(room, position.wasLive || !room.isAwaited));
    endOpening(true);
  });
  opened.on("ready", (packet: unknown) => {
    const next = resumeStream(position, packet);
    position = next.position;
    refusals = 0;
    setState("live");
    if (next.mustFetch) {
      readAgain();
    }
  });
  opened.on("refetch", (packet: { readonly withinMs?: number } | undefined) => {
    setTimeout(readAgain, randomDelay(packet?.withinMs ?? 0, Math.random()));
  });
  opened.on("disconnect", (reason) => {
    goOffline();
    // The server closed it, as when it stops: socket.io does not reconnect by itself then.
    if (reason === "io server disconnect") {
      setTimeout(connectNow, randomDelay(RECONNECT_MS * 4, Math.random()));
    }
  });
  opened.on("connect_error", ({ message }) => {
    goOffline();
    if (message === "ERR_COMPANY_DISABLED" || (message === "ERR_SUBSCRIPTION_EXPIRED" && !mayPay())) {
      endSession();
      return;
    }
    if (message === "ERR_TOO_MANY_SOCKETS" || message === "ERR_SUBSCRIPTION_EXPIRED") {
      setState(message === "ERR_TOO_MANY_SOCKETS" ? "crowded" : "offline");
      againAfter(REFUSED_AGAIN_MS, connectNow);
      return;
    }
    // A handshake error stops socket.io's own attempts: the token was refused.
    if (!opened.active) {
      againAfter(refusals === 0 ? 0 : RENEW_AGAIN_MS, () => void renewAndConnect());
      refusals += 1;
    }
  });
  opened.onAny((event: string, ...values: readonly unknown[]) => {
    const session = currentSession();
    if (session.state === "in" && event.startsWith("company-")) {
      const payload: unknown = JSON.parse(withOwnMedia(JSON.stringify(values[0])));
      const handle = () => dispatch(event, payload, queryClient, session.user);
      handle();
      fetchRaces.note(handle);
      // After the handlers: advance the cursor only once the change is in the cache.
      position = advanceCursor(position, values[1]);
    }
  });
  return opened;
}

/** After a gap, which may hide a change of the user's own rights or queues. */
function readAgain(): void {
  void refetchAll(queryClient);
  void refreshRights(queryClient);
}

/** The admin of an overdue company stays signed in, without a socket. */
function mayPay(): boolean {
  const session = currentSession();
  return session.state === "in" && isAdmin(session.user);
}

/** A room is left so many ms late: after what is shown instead is painted. */
const LEAVE_AFTER_MS = 50;

/** Joins a room until the returned function is called; the room is left when the last caller has left it. */
export function joinRoom(join: Join, argument: string | number | undefined): () => void {
  const key = keyOf(join, argument);
  const room = rooms.get(key) ?? { join, argument, users: 0, entered: Promise.resolve(), isAwaited: false };
  room.users += 1;
  rooms.set(key, room);
  if (room.users === 1 && socket?.connected) {
    // what waits for the room waits for the paint as well: the message to the server is none of the reader's time
    room.entered = new Promise<void>((resolve) => afterPaint(resolve)).then(() => {
      if (rooms.get(key) === room && socket?.connected) {
        emitRoom(room);
        return room.entered;
      }
      return undefined;
    });
  }
  return () => {
    room.users -= 1;
    if (room.users === 0) {
      rooms.delete(key);
      setTimeout(() => {
        if (!rooms.has(key)) {
          emitToServer(join.replace("join", "leave"), ...(argument === undefined ? [] : [argument]));
        }
      }, LEAVE_AFTER_MS);
    }
  };
}

function announceRooms(): (readonly [Join, string | number | null])[] {
  announced.clear();
  rooms.forEach((_, key) => announced.add(key));
  return [...rooms.values()].map(({ join, argument }) => [join, argument ?? null]);
}

/** Joins the room; refetches afterwards what was fetched without waiting for the join. */
function emitRoom(room: Room, isLate = false): void {
  if (!socket) {
    return;
  }
  let isOverdue = isLate;
  const asked: Promise<unknown> = socket.emitWithAck(
    room.join,
    ...(room.argument === undefined ? [] : [room.argument]),
  );
  const waited = new Promise<void>((resolve) => {
    setTimeout(() => {
      isOverdue = true;
      resolve();
    }, JOIN_WITHIN_MS);
  });
  // A socket that drops meanwhile gets missed events on reconnect.
  room.entered = Promise.race([asked, waited]).catch(() => undefined);
  void asked.then(
    () => (isOverdue ? refetchAll(queryClient) : undefined),
    () => undefined,
  );
}

function keyOf(join: Join, argument: string | number | undefined): string {
  return `${join}:${argument ?? ""}`;
}

function connectNow(): void {
  watchToken();
  if (!socket) {
    fetchSocket();
  } else if (!socket.connected) {
    socket.connect();
  } else if (state === "offline") {
    // The network was away for less than a ping interval. The socket may be alive or dead without knowing: a new handshake
    // settles that, and replays missed events.
    socket.disconnect().connect();
  }
}

function goOffline(): void {
  endOpening(false);
  if (position.wasLive) {
    setState("offline");
  }
}

/** Watches the token's expiry: renews it in time, reloads when it expired while the machine slept. */
function watchToken(): void {
  clearTimeout(tokenTimer);
  const action = tokenActionFor(expiresAt(), serverNow());
  if ("inMs" in action) {
    againAfter(Math.min(action.inMs + 1, 2 ** 31 - 1), watchToken);
  } else if (action.now === "reload") {
    againAfter(sessionRules.reloadAfterExpiryMs, () => void reloadOnceThere());
  } else {
    void renewAndConnect();
  }
}

/** A page that is reloaded without the server finds nobody to renew its token, and would reload for ever. */
async function reloadOnceThere(): Promise<void> {
  const isThere = await isServerThere();
  // A call may have renewed the token meanwhile.
  if (isOpen && isThere && expiresAt() <= serverNow()) {
    leaveAtOnce();
  } else {
    againAfter(RENEW_AGAIN_MS, watchToken);
  }
}

function expiresAt(): number {
  return readToken(readStored("token") ?? "")?.expiresAt ?? Infinity;
}

/** Renews the token, then reconnects with it; retries while the server cannot be reached. */
async function renewAndConnect(): Promise<void> {
  try {
    if (await renewToken(readStored("token"))) {
      socket?.disconnect().connect();
      watchToken();
    }
  } catch {
    againAfter(RENEW_AGAIN_MS, () => void renewAndConnect());
  }
}

/** Does what the token needs in so many ms, unless the socket was closed meanwhile: who has signed out has no token to renew. */
function againAfter(ms: number, run: () => void): void {
  clearTimeout(tokenTimer);
  if (isOpen) {
    tokenTimer = setTimeout(run, ms);
  }
}

function setState(next: LiveState): void {
  if (state !== next) {
    state = next;
    tell();
  }
}

function tell(): void {
  listeners.forEach((listener) => listener());
}
