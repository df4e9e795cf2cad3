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

test("a late answer to who has signed out does not end the next person's session, and no call is made again in their name (A-05)", async () => {
  for (const status of [401, 403]) {
    const { stored, sent, answer } = aServer();
    startSession({ token: tokenOf("a"), user });
    const late = call(tags.list);
    endSession(true);
    startSession({ token: tokenOf("b"), user: { ...user, id: 2 } });

    answer(0, status, { error: "ERR_SESSION_EXPIRED" });
    await expect(late).rejects.toMatchObject({ status });
    expect([sent, stored.get("token"), currentSession()]).toMatchObject([
      ["/tags"],
      tokenOf("b"),
      { state: "in", user: { id: 2 } },
    ]);
  }
});

test("a renewal that is answered after the sign-out signs nobody in, and ends nobody's next session (A-05)", async () => {
  for (const status of [200, 401]) {
    const { stored, sent, answer } = aServer();
    startSession({ token: tokenOf("a"), user });
    const late = call(tags.list);
    answer(0, 403, { error: "ERR_SESSION_EXPIRED" });
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    endSession(true);
    startSession({ token: tokenOf("b"), user: { ...user, id: 2, companyId: 2 } });

    answer(1, status, status === 200 ? { token: tokenOf("a", 2), user } : { error: "ERR_SESSION_EXPIRED" });
    await expect(late).rejects.toMatchObject({ status: 403 });
    expect([sent, stored.get("token"), currentSession()]).toMatchObject([
      ["/tags", "/auth/refresh_token"],
      tokenOf("b"),
      { state: "in", user: { id: 2 } },
    ]);
  }
});

test("a page that is just opening signs nobody in who has signed out since, and ends nobody's next session (A-05)", async () => {
  for (const status of [200, 401, 503]) {
    for (const next of [undefined, "b"]) {
      const { stored, sent, answer } = aServer();
      stored.set("token", tokenOf("a", 4_000_000_000));
      const opening = openSession({
        restoreAtOnce: () => Promise.resolve(user),
        restoreWithServer: () => Promise.resolve(),
        forget: () => Promise.resolve(),
      });
      await vi.waitFor(() => expect(sent).toHaveLength(1));
      expect(currentSession().state).toBe("in");
      endSession(true);
      if (next !== undefined) {
        startSession({ token: tokenOf(next, 4_000_000_000), user: { ...user, id: 2 } });
      }

      answer(0, status, status === 200 ? user : { error: "ERR_SESSION_EXPIRED" });
      if (status !== 200 && next !== undefined) {
        await vi.waitFor(() => expect(sent, "asked again, in the new session").toHaveLength(2));
        answer(1, 200, { ...user, id: 2 });
      }
      await opening;
      expect([stored.has("token"), currentSession()]).toMatchObject([
        next !== undefined,
        next === undefined ? { state: "out" } : { state: "in", user: { id: 2 } },
      ]);
      endSession();
    }
  }
});

test("a page that cannot reach the server says so until it does, also where an earlier attempt is still under way", async () => {
  const { stored, sent, answer } = aServer();
  stored.set("token", tokenOf("a", 4_000_000_000));
  const [first, second] = [openSession(), openSession()];
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  answer(1, 503, {});
  await second;
  expect(currentSession().state).toBe("unreachable");

  const third = openSession();
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  expect(currentSession().state).toBe("unreachable");
  answer(2, 200, user);
  await third;
  answer(0, 503, {});
  await first;
  expect(currentSession()).toMatchObject({ state: "in", user: { id: 1 } });
});

test("a page that is just opening ends with the session of another tab", () => {
  const stored = aStorage();
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  onTestFinished(followOtherTabs());
  stored.set("token", tokenOf("a", 4_000_000_000));
  void openSession();
  expect(currentSession().state).toBe("loading");

  stored.delete("token");
  page.dispatchEvent(Object.assign(new Event("storage"), { key: "token", newValue: null }));
  expect(currentSession().state).toBe("out");
});

test("a page that opens with the token of a support session that is over goes on in the own one (V-01)", async () => {
  const { stored, sent, answer } = aServer();
  stored.set("token", tokenOf("support-a", 4_000_000_000));
  const opening = openSession();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  answer(0, 403, { error: "ERR_SESSION_EXPIRED" });
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  answer(1, 200, { token: tokenOf("own", 4_000_000_000), user });
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  answer(2, 200, user);
  await opening;
  expect(sent).toEqual(["/auth/me", "/auth/refresh_token", "/auth/me"]);
  expect(currentSession()).toMatchObject({ state: "in", user: { id: 1 } });
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

/** A page whose calls are answered by hand: their paths, and what is stored. */
function aServer() {
  const stored = aStorage();
  const sent: string[] = [];
  const answers: PromiseWithResolvers<Response>[] = [];
  vi.stubGlobal("document", { documentElement: { lang: "pt" } });
  vi.stubGlobal("location", { assign: () => undefined });
  vi.stubGlobal("fetch", (url: string) => {
    sent.push(url);
    const answer = Promise.withResolvers<Response>();
    answers.push(answer);
    return answer.promise;
  });
  const answer = (index: number, status: number, body: unknown) =>
    answers[index]?.resolve(Response.json(body, { status }));
  return { stored, sent, answer };
}

/** An access token of this session; a renewed one expires later. */
function tokenOf(sessionId: string, exp = 1): string {
  return `head.${btoa(JSON.stringify({ exp, sessionId }))}.signature`;
}

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
