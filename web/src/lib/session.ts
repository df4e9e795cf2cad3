/** Who is signed in? One store for the whole app; React reads it through `useSession`. */
import { auth, type SessionUser } from "@prosa/contract/auth";
import { useSyncExternalStore } from "react";
import { createClient, type Client } from "./apiClient.ts";
import { ApiError } from "./apiError.ts";
import { serverNow } from "./clock.ts";
import { aloneInBrowser, createRefresh } from "./refresh.ts";
import { forget, forgetCredentials, remember, remembered } from "./storage.ts";
import { readToken } from "./token.ts";
import { send } from "./transport.ts";

export type Session =
  | { readonly state: "loading" }
  /** The server could not be asked; the stored sign-in may still be good. */
  | { readonly state: "unreachable" }
  | { readonly state: "out" }
  | { readonly state: "in"; readonly user: SessionUser };

let session: Session = { state: "loading" };
const listeners = new Set<() => void>();
const signOutListeners = new Set<() => void>();

const publicClient = createClient({
  send,
  token: () => undefined,
  renew: () => Promise.resolve(undefined),
  onSignedOut: () => undefined,
});

/** Renews the access token; shared by the API client and the socket. Undefined when the session is over. */
export const renewToken = createRefresh({
  ask: askForToken,
  stored: () => remembered("token"),
  keep: keepSignedIn,
  over: endSession,
  alone: aloneInBrowser,
});

/** `call(tickets.list, { query: { pageNumber: 1 } })`: the one way to the server. Rejects with an ApiError. */
export const call: Client["call"] = createClient({
  send,
  token: () => remembered("token"),
  renew: renewToken,
  onSignedOut: endSession,
}).call;

/** Finds out on start who this is: the stored token's owner, or nobody. */
export async function openSession(): Promise<void> {
  if (!remembered("token")) {
    set({ state: "out" });
    return;
  }
  set({ state: "loading" });
  try {
    const token = remembered("token");
    const claims = token === undefined ? undefined : readToken(token);
    if (claims && claims.expiresAt <= serverNow() && !(await renewToken(token))) {
      return;
    }
    set({ state: "in", user: await call(auth.me) });
  } catch (error) {
    if (isUnreachable(error)) {
      set({ state: "unreachable" });
    } else {
      endSession();
    }
  }
}

/** Signs in with e-mail and password; rejects with the server's ApiError. */
export async function signIn(email: string, password: string): Promise<SessionUser> {
  const signedIn = await publicClient.call(auth.login, { body: { email, password } });
  keepSignedIn(signedIn);
  set({ state: "in", user: signedIn.user });
  return signedIn.user;
}

/** Ends the session on the server too; here it ends in any case. */
export async function signOut(): Promise<void> {
  try {
    await publicClient.call(auth.logout);
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
  } finally {
    endSession();
  }
}

/** Forgets who was signed in, in this browser only. */
export function endSession(): void {
  forgetCredentials();
  set({ state: "out" });
  signOutListeners.forEach((listener) => listener());
}

/** Called after each end of a session: caches and sockets of the old one must go. */
export function onSignedOut(listener: () => void): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

/** The profile changed what the session knows of its user. */
export function updateSessionUser(change: Partial<SessionUser>): void {
  if (session.state === "in") {
    set({ state: "in", user: { ...session.user, ...change } });
  }
}

export function currentSession(): Session {
  return session;
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession);
}

/** The signed-in user; only under the private routes, where there always is one. */
export function useUser(): SessionUser {
  const current = useSession();
  if (current.state !== "in") {
    throw new Error("useUser outside of a signed-in screen");
  }
  return current.user;
}

/** Another tab signed in or out: follow it. */
export function followOtherTabs(): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === "token" && newValue === null && session.state === "in") {
      endSession();
    }
    if (key === "userId" && newValue !== null && newValue !== storedUserId()) {
      location.reload();
    }
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

async function askForToken() {
  try {
    return await publicClient.call(auth.refresh);
  } catch (error) {
    if (isUnreachable(error)) {
      throw error;
    }
    return undefined;
  }
}

function keepSignedIn({ token, user }: { readonly token: string; readonly user: SessionUser }): void {
  remember("token", token);
  remember("companyId", String(user.companyId));
  remember("userId", String(user.id));
  if (user.company.dueDate === null) {
    forget("companyDueDate");
  } else {
    remember("companyDueDate", user.company.dueDate);
  }
  if (session.state === "in") {
    set({ state: "in", user });
  }
}

function isUnreachable(error: unknown): boolean {
  // 429: others behind the same address asked too often; whose sign-in is good stays signed in
  return (
    error instanceof ApiError &&
    (error.code === "network" || error.code === "cancelled" || error.status === 429 || error.status >= 500)
  );
}

function storedUserId(): string | undefined {
  return session.state === "in" ? String(session.user.id) : undefined;
}

function set(next: Session): void {
  session = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
