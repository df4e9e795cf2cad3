/** The live line to the server: one socket for the tab, its state for the live chip, and the rooms that screens need. */
import { sessionRules } from "@prosa/contract/auth";
import type { joins } from "@prosa/contract/events";
import { useLayoutEffect, useSyncExternalStore } from "react";
import type { Socket } from "socket.io-client";
import { handshake, heard, nowhere, ready, spread, type Place } from "./cursor.ts";
import { watchCrossings } from "./crossings.ts";
import { fetchAgain } from "./fetchAgain.ts";
import { isAdmin } from "./permissions.ts";
import { queryClient } from "./queryClient.ts";
import { dispatch } from "./realtime.ts";
import { serverNow } from "./clock.ts";
import { currentSession, endSession, onSignedOut, renewToken } from "./session.ts";
import { remembered } from "./storage.ts";
import { careFor, readToken } from "./token.ts";

/**
 * `connecting` is the first time; after that a lost line is `offline`, and `catchingUp` until the server says ready.
 * `crowded`: other tabs of this session hold all the lines that it may have.
 */
export type LiveState = "connecting" | "live" | "catchingUp" | "offline" | "crowded";
type Join = Extract<(typeof joins)[number], `join${string}`>;

interface Room {
  readonly join: Join;
  readonly argument: string | number | undefined;
  users: number;
  entered: Promise<unknown>;
}

const RECONNECT_MS = 500;
/** A fetch waits so long at most to be let into its room. */
const JOIN_WITHIN_MS = 3_000;
/** Between two renewals that did not help: a server that refuses everybody is not asked without pause. */
const RENEW_AGAIN_MS = 5_000;
/** Refused for what a new token does not change: looked at again after this. */
const REFUSED_AGAIN_MS = 30_000;

const crossings = watchCrossings(queryClient);
let socket: Socket | undefined;
let refusals = 0;
let state: LiveState = "connecting";
let place: Place = nowhere;
let tokenTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
/** Rooms that screens are in, with how many ask for each: joined again after every reconnect. */
const rooms = new Map<string, Room>();
/** Rooms that the handshake under way asked for. */
const announced = new Set<string>();

/** Opens the line for the signed-in user; returns how to close it. */
export function openSocket(): () => void {
  let isClosed = false;
  void import("socket.io-client").then(({ io }) => {
    if (!isClosed) {
      socket = wire(
        io({
          transports: ["websocket"],
          // Asked anew on each attempt: the token, the cursor and the rooms of then. The server enters the rooms before it
          // replays what was missed.
          auth: (give) => give({ token: remembered("token"), ...handshake(place), joins: announceRooms() }),
          reconnectionDelay: RECONNECT_MS,
          reconnectionDelayMax: 15_000,
          randomizationFactor: 0.5,
        }),
      );
    }
  });

  const ping = setInterval(() => socket?.connected && socket.emit("userStatus"), sessionRules.userStatusEveryMs);
  const wake = () => document.visibilityState === "visible" && connectNow();
  window.addEventListener("online", connectNow);
  window.addEventListener("offline", goOffline);
  document.addEventListener("visibilitychange", wake);
  const stopListening = onSignedOut(close);
  watchToken();

  function close(): void {
    isClosed = true;
    clearInterval(ping);
    clearTimeout(tokenTimer);
    window.removeEventListener("online", connectNow);
    window.removeEventListener("offline", goOffline);
    document.removeEventListener("visibilitychange", wake);
    stopListening();
    socket?.disconnect();
    socket = undefined;
    place = nowhere;
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

/** Calls back at each change of the state; returns how to stop. */
export function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Keeps a room while the component is shown: `useRoom("joinChatBox", ticket.id)`. It is asked for before the queries of
 * the components below are (those begin in passive effects), so that they can wait for it.
 */
export function useRoom(join: Join, argument?: string | number, isWanted = true): void {
  useLayoutEffect(() => (isWanted ? enterRoom(join, argument) : undefined), [join, argument, isWanted]);
}

/**
 * Resolves once the server has let us into this room: no event of it falls between such a moment and a fetch that begins
 * then. Without a live line there is nothing to wait for, the way back to it brings what was missed.
 */
export async function whenInRoom(join: Join, argument: string | number | undefined): Promise<void> {
  await rooms.get(keyOf(join, argument))?.entered;
}

/** For what is not kept and not answered, as "is typing". False when the line is down. */
export function tellServer(event: string, ...values: readonly unknown[]): boolean {
  if (!socket?.connected) {
    return false;
  }
  socket.emit(event, ...values);
  return true;
}

function wire(line: Socket): Socket {
  line.on("connect", () => {
    setState(place.wasLive ? "catchingUp" : "connecting");
    // Asked for while the handshake was on its way: nobody could wait for these.
    rooms.forEach((room, key) => !announced.has(key) && emitRoom(room, true));
  });
  line.on("ready", (packet: unknown) => {
    const next = ready(place, packet);
    place = next.place;
    refusals = 0;
    setState("live");
    if (next.mustFetch) {
      void fetchAgain(queryClient);
    }
  });
  line.on("refetch", (packet: { readonly withinMs?: number } | undefined) => {
    setTimeout(() => void fetchAgain(queryClient), spread(packet?.withinMs ?? 0, Math.random()));
  });
  line.on("disconnect", (reason) => {
    goOffline();
    // The server closed it, as it does when it stops: socket.io then waits for us.
    if (reason === "io server disconnect") {
      setTimeout(connectNow, spread(RECONNECT_MS * 4, Math.random()));
    }
  });
  line.on("connect_error", ({ message }) => {
    goOffline();
    if (message === "ERR_COMPANY_DISABLED" || (message === "ERR_SUBSCRIPTION_EXPIRED" && !mayPay())) {
      endSession();
      return;
    }
    if (message === "ERR_TOO_MANY_SOCKETS" || message === "ERR_SUBSCRIPTION_EXPIRED") {
      setState(message === "ERR_TOO_MANY_SOCKETS" ? "crowded" : "offline");
      clearTimeout(tokenTimer);
      tokenTimer = setTimeout(connectNow, REFUSED_AGAIN_MS);
      return;
    }
    // An error of the handshake stops socket.io's own attempts: the token was refused.
    if (!line.active) {
      clearTimeout(tokenTimer);
      tokenTimer = setTimeout(() => void renewAndConnect(), refusals === 0 ? 0 : RENEW_AGAIN_MS);
      refusals += 1;
    }
  });
  line.onAny((event: string, ...values: readonly unknown[]) => {
    const session = currentSession();
    if (session.state === "in" && event.startsWith("company-")) {
      const tell = () => dispatch(event, values[0], queryClient, session.user);
      tell();
      crossings.note(tell);
      // After the handlers: a cursor is only ours once its change is in the cache.
      place = heard(place, values[1]);
    }
  });
  return line;
}

/** The admin of a company that is overdue stays signed in, without a live line. */
function mayPay(): boolean {
  const session = currentSession();
  return session.state === "in" && isAdmin(session.user);
}

/** Enters a room until the returned function is called; each of several who ask for it keeps it. */
export function enterRoom(join: Join, argument: string | number | undefined): () => void {
  const key = keyOf(join, argument);
  const room = rooms.get(key) ?? { join, argument, users: 0, entered: Promise.resolve() };
  room.users += 1;
  rooms.set(key, room);
  if (room.users === 1 && socket?.connected) {
    emitRoom(room);
  }
  return () => {
    room.users -= 1;
    if (room.users === 0) {
      rooms.delete(key);
      tellServer(join.replace("join", "leave"), ...(argument === undefined ? [] : [argument]));
    }
  };
}

function announceRooms(): (readonly [Join, string | number | null])[] {
  announced.clear();
  rooms.forEach((_, key) => announced.add(key));
  return [...rooms.values()].map(({ join, argument }) => [join, argument ?? null]);
}

/** Asks to be let in; what was fetched without waiting for that is fetched again then. */
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
  // A line that breaks meanwhile brings on its way back what was missed.
  room.entered = Promise.race([asked, waited]).catch(() => undefined);
  void asked.then(
    () => (isOverdue ? fetchAgain(queryClient) : undefined),
    () => undefined,
  );
}

function keyOf(join: Join, argument: string | number | undefined): string {
  return `${join}:${argument ?? ""}`;
}

function connectNow(): void {
  watchToken();
  if (!socket?.connected) {
    socket?.connect();
  } else if (state === "offline") {
    // The network was away for less than a ping. The line may have outlived it or be dead without knowing: a new handshake
    // says which, and brings what was missed.
    socket.disconnect().connect();
  }
}

function goOffline(): void {
  if (place.wasLive) {
    setState("offline");
  }
}

/** Looks after the token's age: renews it in time, reloads when it died while the machine slept. */
function watchToken(): void {
  clearTimeout(tokenTimer);
  const expiresAt = readToken(remembered("token") ?? "")?.expiresAt;
  if (expiresAt === undefined) {
    return;
  }
  const care = careFor(expiresAt, serverNow());
  if ("inMs" in care) {
    tokenTimer = setTimeout(watchToken, Math.min(care.inMs + 1, 2 ** 31 - 1));
  } else if (care.now === "reload") {
    tokenTimer = setTimeout(() => location.reload(), sessionRules.reloadAfterExpiryMs);
  } else {
    void renewAndConnect();
  }
}

/** A new token, then a new handshake with it; tried again while the server cannot be reached. */
async function renewAndConnect(): Promise<void> {
  try {
    if (await renewToken(remembered("token"))) {
      socket?.disconnect().connect();
      watchToken();
    }
  } catch {
    clearTimeout(tokenTimer);
    tokenTimer = setTimeout(() => void renewAndConnect(), RENEW_AGAIN_MS);
  }
}

function setState(next: LiveState): void {
  if (state !== next) {
    state = next;
    listeners.forEach((listener) => listener());
  }
}
