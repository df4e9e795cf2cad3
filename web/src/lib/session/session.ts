/** The session store of the app; React reads it through `useSession`. */
import { auth, type SessionUser } from "@prosa/contract/auth";
import { createContext, createElement, useContext, useSyncExternalStore, type ReactNode } from "react";
import { createClient, type Client } from "#web/lib/api/apiClient.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { serverNow } from "./clock.ts";
import { withBrowserLock, createRefresh } from "./refresh.ts";
import { removeStored, removeStoredCredentials, writeStored, readStored } from "./storage.ts";
import { readToken } from "./token.ts";
import { leaveAtOnce } from "#web/lib/routing/router.tsx";
import { send } from "#web/lib/api/transport.ts";

export type Session =
  | { readonly state: "loading" }
  /** The server could not be reached; the stored session may still be valid. */
  | { readonly state: "unreachable" }
  | { readonly state: "out" }
  | { readonly state: "in"; readonly user: SessionUser };

let session: Session = { state: "loading" };
const listeners = new Set<() => void>();
type SignOutListener = (isChosen: boolean, userId: number | undefined) => void;
const signOutListeners = new Set<SignOutListener>();

const publicClient = createClient({
  send,
  token: () => undefined,
  renew: () => Promise.resolve(undefined),
  onSignedOut: () => undefined,
});

/** Renews the access token; shared by the API client and the socket. Undefined when the session is over. */
export const renewToken = createRefresh({
  requestToken,
  readToken: () => readStored("token"),
  saveSession: keepRenewed,
  onSessionEnded: endSession,
  withLock: withBrowserLock,
});

/** `call(tickets.list, { query: { pageNumber: 1 } })`: the one way to the server. Rejects with an ApiError. */
export const call: Client["call"] = createClient({
  send,
  token: () => readStored("token"),
  renew: renewTokenOf,
  onSignedOut: endSessionOf,
}).call;

/**
 * Renews the token of the session that a refused call was made in. Undefined when that session is over, also where another one began
 * here since: in its name the call is not made again.
 */
export async function renewTokenOf(refused: string | undefined): Promise<string | undefined> {
  const renewed = await renewToken(refused);
  return renewed !== undefined && sessionIdOf(renewed) === sessionIdOf(refused) ? renewed : undefined;
}

/**
 * Ends the session in this browser after a call with this token was answered with 401. Only of the present token: a late answer to who
 * has signed out, or to the company that is being left, ends nothing. A session that is just opening ends by itself.
 */
export function endSessionOf(refused: string | undefined): void {
  if (session.state === "in" && refused === readStored("token")) {
    // A support session that is over leads back to the own one, which the cookie still renews.
    void (session.user.support ? renewToken(refused) : endSession());
  }
}

/** What a browser kept of its last visit. */
export interface KeptSession {
  /** Restores it without the server, where that is possible; the user that was signed in. */
  restoreAtOnce(): Promise<SessionUser | undefined>;
  /** Restores it with a key from the server. */
  restoreWithServer(): Promise<void>;
  /** Removes all of it. */
  forget(): Promise<void>;
}

/** The desk waits so long at most for what was kept, in ms. */
const RESTORE_WITHIN_MS = 1_000;

/** Restores the session on start from the stored token; with what was kept the desk is shown before the server answers. */
export async function openSession(kept?: KeptSession): Promise<void> {
  let asked = readStored("token");
  if (!asked) {
    set({ state: "out" });
    // The session ended without a sign-out in this page: the account signed in elsewhere, and the page was reloaded.
    void kept?.forget().catch(() => undefined);
    return;
  }
  // Who was told that the server cannot be reached reads that until it can.
  if (session.state !== "unreachable") {
    set({ state: "loading" });
  }
  /** Meanwhile somebody signed out, or in as somebody else: an answer is for the session that was. */
  const isOver = () => session.state === "out" || sessionIdOf(readStored("token")) !== sessionIdOf(asked);
  const known = await kept?.restoreAtOnce().catch(() => undefined);
  if (known && !isOver()) {
    set({ state: "in", user: known });
  }
  try {
    const claims = readToken(asked);
    if (claims && claims.expiresAt <= serverNow()) {
      asked = await renewToken(asked);
      if (!asked) {
        return;
      }
    }
    const restored = known ? undefined : kept?.restoreWithServer().catch(() => undefined);
    asked = readStored("token");
    const user = await call(auth.me).catch((error: unknown) => {
      const present = readStored("token");
      if (present === undefined || present === asked) {
        throw error;
      }
      // Of a support session that is over: asked again in the own one.
      asked = present;
      return call(auth.me);
    });
    await Promise.race([restored, new Promise((resolve) => setTimeout(resolve, restored ? RESTORE_WITHIN_MS : 0))]);
    if (!isOver()) {
      set({ state: "in", user });
    }
  } catch (error) {
    if (isOver()) {
      return;
    }
    if (!isUnreachable(error)) {
      endSession();
    } else if (session.state === "loading") {
      // Who sees the desk already goes on with it: the chip says that it is offline.
      set({ state: "unreachable" });
    }
  }
}

/** Signs in with e-mail and password; rejects with the server's ApiError. */
export async function signIn(email: string, password: string): Promise<SessionUser> {
  return startSession(await publicClient.call(auth.login, { body: { email, password } }));
}

/** Begins a session in this browser with the server's answer to a sign-in of any kind. */
export function startSession(signedIn: { readonly token: string; readonly user: SessionUser }): SessionUser {
  removeStored("prosa.signedInElsewhere");
  keepSignedIn(signedIn);
  set({ state: "in", user: signedIn.user });
  return signedIn.user;
}

/** Goes on in another company, from a new page: nothing of the one that is left stays in memory. Never resolves. */
export function moveToCompany(signedIn: { readonly token: string; readonly user: SessionUser }): Promise<never> {
  session = { state: "loading" };
  keepSignedIn(signedIn);
  leaveAtOnce(() => location.assign("/"));
  return new Promise(() => undefined);
}

/** `call` for public endpoints: without the session of this browser, which a refusal then does not end. */
export const callPublic: Client["call"] = publicClient.call;

/** Ends the session on the server; in this browser it ends in any case. */
export async function signOut(): Promise<void> {
  try {
    await publicClient.call(auth.logout);
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
  } finally {
    endSession(true);
  }
}

/** Ends the session in this browser only. */
export function endSession(isChosen = false): void {
  const userId = session.state === "in" ? session.user.id : undefined;
  removeStoredCredentials();
  set({ state: "out" });
  signOutListeners.forEach((listener) => listener(isChosen, userId));
}

/** Calls back after each end of a session, to drop its caches and sockets. `isChosen`: the user signed out, nobody else did it. */
export function onSignedOut(listener: SignOutListener): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

/** Updates the session's user after a change of the profile. */
export function updateSessionUser(change: Partial<SessionUser>): void {
  if (session.state === "in") {
    set({ state: "in", user: { ...session.user, ...change } });
  }
}

/**
 * Reads the signed-in user again: an admin may have changed their rights or queues. Tells whether anything had changed; what the server
 * does not answer stays as it was.
 */
export async function refreshSessionUser(): Promise<boolean> {
  const user = await call(auth.me).catch(() => undefined);
  // Meanwhile this session may have ended, or another user's begun.
  if (user === undefined || session.state !== "in" || session.user.id !== user.id) {
    return false;
  }
  const isChanged = JSON.stringify(user) !== JSON.stringify(session.user);
  if (isChanged) {
    set({ state: "in", user });
  }
  return isChanged;
}

export function currentSession(): Session {
  return session;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** At the root of the app: a context costs a component nothing, a subscription of its own two effects. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  return createElement(SessionContext, { value: useSyncExternalStore(subscribe, currentSession) }, children);
}

export function useSession(): Session {
  return useContext(SessionContext) ?? session;
}

/** The signed-in user; only for private routes, where there always is one. */
export function useUser(): SessionUser {
  const current = useSession();
  if (current.state !== "in") {
    throw new Error("useUser outside of a signed-in screen");
  }
  return current.user;
}

/** Follows sign-in and sign-out of other tabs. */
export function followOtherTabs(): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // Heard of late, another session may have begun since: it goes on, and a change of the person is told below.
    if (key === "token" && newValue === null && !readStored("token") && session.state !== "out") {
      endSession();
    }
    // Another person, or the same one as support in another company.
    if ((key === "userId" || key === "companyId") && newValue !== null && newValue !== idHere(key)) {
      leaveAtOnce();
    }
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

async function requestToken() {
  try {
    return await publicClient.call(auth.refresh);
  } catch (error) {
    if (isUnreachable(error)) {
      throw error;
    }
    if (error instanceof ApiError && error.details.reason === "elsewhere") {
      noteSignedInElsewhere();
    }
    return undefined;
  }
}

/** The account signed in on another computer: the sign-in page says so until somebody signs in here. */
export function noteSignedInElsewhere(): void {
  writeStored("prosa.signedInElsewhere", "true");
}

export function wasSignedInElsewhere(): boolean {
  return readStored("prosa.signedInElsewhere") !== undefined;
}

/** After a support session the own company answers: the calls that wait were meant for the one that is left, and none is made in another. */
async function keepRenewed(signedIn: { readonly token: string; readonly user: SessionUser }): Promise<void> {
  if (session.state === "in" && session.user.companyId !== signedIn.user.companyId) {
    await moveToCompany(signedIn);
  }
  keepSignedIn(signedIn);
}

function keepSignedIn({ token, user }: { readonly token: string; readonly user: SessionUser }): void {
  writeStored("token", token);
  writeStored("companyId", String(user.companyId));
  writeStored("userId", String(user.id));
  if (user.company.dueDate === null) {
    removeStored("companyDueDate");
  } else {
    writeStored("companyDueDate", user.company.dueDate);
  }
  if (session.state === "in") {
    set({ state: "in", user });
  }
}

function isUnreachable(error: unknown): boolean {
  // 429: other users behind the same address sent too many requests; a valid session stays
  return (
    error instanceof ApiError &&
    (error.code === "network" || error.code === "cancelled" || error.status === 429 || error.status >= 500)
  );
}

function sessionIdOf(token: string | undefined): string | undefined {
  return readToken(token ?? "")?.sessionId;
}

function idHere(key: "userId" | "companyId"): string | undefined {
  return session.state === "in" ? String(session.user[key === "userId" ? "id" : key]) : undefined;
}

function set(next: Session): void {
  session = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
