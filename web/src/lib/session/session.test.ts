import type { SessionUser } from "@prosa/contract/auth";
import { tags } from "@prosa/contract/tags";
import { expect, test, vi } from "vitest";
import { call, currentSession, moveToCompany, openSession, startSession } from "./session.ts";

test("a start without a token removes what a session kept that was taken over (Z-06)", async () => {
  const forget = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const restoreAtOnce = vi.fn<() => Promise<undefined>>(() => Promise.resolve(undefined));
  await openSession({ restoreAtOnce, restoreWithServer: () => Promise.resolve(), forget });
  expect(currentSession()).toEqual({ state: "out" });
  expect(forget).toHaveBeenCalledOnce();
  expect(restoreAtOnce).not.toHaveBeenCalled();
});

test("a call that was under way when the support left a company does not end the session that goes on (V-01)", async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal("location", { assign: vi.fn<(path: string) => void>() });
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => answer.promise);
  const user = { id: 1, companyId: 1, company: { dueDate: null } } as unknown as SessionUser;
  startSession({ token: "support", user: { ...user, companyId: 2 } });

  const underWay = call(tags.list);
  void moveToCompany({ token: "own", user });
  answer.resolve(Response.json({ error: "ERR_SESSION_EXPIRED" }, { status: 401 }));
  await expect(underWay).rejects.toThrow();
  expect([stored.get("token"), location.assign]).toEqual(["own", expect.any(Function)]);
  expect(location.assign).toHaveBeenCalledWith("/");
  vi.unstubAllGlobals();
});
