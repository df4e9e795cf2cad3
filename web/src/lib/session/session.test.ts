import type { SessionUser } from "@prosa/contract/auth";
import { tags } from "@prosa/contract/tags";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  call,
  currentSession,
  endSession,
  followOtherTabs,
  moveToCompany,
  openSession,
  startSession,
} from "./session.ts";
import { readStored, writeStored } from "./storage.ts";

const user = { id: 1, companyId: 1, company: { dueDate: null } } as unknown as SessionUser;

test("a start without a token removes what a session kept that was taken over (Z-06)", async () => {
  const forget = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const restoreAtOnce = vi.fn<() => Promise<undefined>>(() => Promise.resolve(undefined));
  await openSession({ restoreAtOnce, restoreWithServer: () => Promise.resolve(), forget });
  expect(currentSession()).toEqual({ state: "out" });
  expect(forget).toHaveBeenCalledOnce();
  expect(restoreAtOnce).not.toHaveBeenCalled();
});

test("a call that was under way when the support left a company does not end the session that goes on (V-01)", async () => {
  const stored = aStorage();
  vi.stubGlobal("location", { assign: vi.fn<(path: string) => void>() });
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => answer.promise);
  startSession({ token: "support", user: { ...user, companyId: 2 } });

  const underWay = call(tags.list);
  void moveToCompany({ token: "own", user });
  answer.resolve(Response.json({ error: "ERR_SESSION_EXPIRED" }, { status: 401 }));
  await expect(underWay).rejects.toThrow();
  expect([stored.get("token"), location.assign]).toEqual(["own", expect.any(Function)]);
  expect(location.assign).toHaveBeenCalledWith("/");
});

test("an end of the session that is heard of late does not end the one that began since", () => {
  const stored = aStorage();
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  onTestFinished(followOtherTabs());
  const hearOfEnd = () => page.dispatchEvent(Object.assign(new Event("storage"), { key: "token", newValue: null }));
  startSession({ token: "one", user });

  stored.set("token", "another");
  hearOfEnd();
  expect([stored.get("token"), currentSession().state]).toEqual(["another", "in"]);

  stored.delete("token");
  hearOfEnd();
  expect(currentSession().state).toBe("out");
});

test("where the browser blocks or fills its storage, the session lives as long as the page", () => {
  const setItem = vi.fn<() => void>(() => {
    throw new DOMException("Blocked", "SecurityError");
  });
  vi.stubGlobal("localStorage", { getItem: setItem, setItem, removeItem: setItem });
  onTestFinished(() => void vi.unstubAllGlobals());
  startSession({ token: "one", user });
  expect([readStored("token"), readStored("userId")]).toEqual(["one", "1"]);
  endSession();
  expect(readStored("token")).toBeUndefined();

  const stored = aStorage({ setItem });
  stored.set("token", "old");
  writeStored("token", "new");
  expect(readStored("token")).toBe("new");
  aStorage();
  writeStored("token", "stored");
  aStorage().set("token", "of another tab");
  expect(readStored("token")).toBe("of another tab");
});

/** This page's localStorage, and what is in it. */
function aStorage(odd: Partial<Storage> = {}): Map<string, string> {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
    ...odd,
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return stored;
}
