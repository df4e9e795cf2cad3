import { audit } from "@prosa/contract/audit";
import { auth } from "@prosa/contract/auth";
import { queues } from "@prosa/contract/queues";
import { settings } from "@prosa/contract/settings";
import { describe, expect, test } from "vitest";
import { createClient, pathOf, queryOf, type Answer, type Transport } from "./apiClient.ts";
import { ApiError } from "./apiError.ts";
import { createRefresh } from "#web/lib/session/refresh.ts";

const expired: Answer = { status: 403, body: { error: "ERR_SESSION_EXPIRED", requestId: "1" } };
const forbidden: Answer = { status: 403, body: { error: "ERR_NO_PERMISSION", requestId: "1" } };
const ok: Answer = { status: 200, body: [] };

/** A client whose server gives these answers, in order; the last one again and again. */
function aClient(answers: Answer[], renewed: string | undefined = "new") {
  const sent: Transport[] = [];
  const happened: string[] = [];
  let token: string | undefined = "old";
  const { call } = createClient({
    send: (request) => {
      sent.push(request);
      return Promise.resolve(answers[Math.min(sent.length, answers.length) - 1] ?? ok);
    },
    token: () => token,
    renew: (refused) => {
      happened.push(`renewed ${refused}`);
      token = renewed;
      return Promise.resolve(renewed);
    },
    onSignedOut: (refused) => happened.push(`signed out ${refused}`),
  });
  return { call, sent, happened };
}

describe("a call", () => {
  test("carries the bearer and fills the path", async () => {
    const { call, sent } = aClient([ok]);

    await call(settings.save, { params: { key: "call" }, body: { value: "enabled" } });

    expect(sent[0]).toMatchObject({
      method: "PUT",
      url: "/settings/call",
      body: '{"value":"enabled"}',
      headers: { authorization: "Bearer old", "content-type": "application/json" },
    });
  });

  test("waits longer where its contract says that it is slow (N-05)", async () => {
    const { call, sent } = aClient([ok]);

    await call(audit.verify, {});
    await call(queues.list, {});

    expect(sent.map(({ isSlow }) => isSlow)).toEqual([true, undefined]);
  });

  test("with a dead token refreshes once and is replayed with the new one (A-05)", async () => {
    const { call, sent, happened } = aClient([expired, ok]);

    await expect(call(queues.list, {})).resolves.toEqual([]);

    expect(happened).toEqual(["renewed old"]);
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });

  test("is replayed at most once (A-05)", async () => {
    const { call, sent } = aClient([expired]);

    await expect(call(queues.list, {})).rejects.toMatchObject({ code: "ERR_SESSION_EXPIRED", status: 403 });

    expect(sent).toHaveLength(2);
  });

  test("without the right does not refresh (behaviour 1)", async () => {
    const { call, sent, happened } = aClient([forbidden]);

    await expect(call(queues.list, {})).rejects.toMatchObject({ code: "ERR_NO_PERMISSION" });

    expect(sent).toHaveLength(1);
    expect(happened).toEqual([]);
  });

  test("answered with 401 signs out (A-05)", async () => {
    const { call, happened } = aClient([{ status: 401, body: { error: "ERR_NOT_SIGNED_IN", requestId: "1" } }]);

    await expect(call(queues.list, {})).rejects.toBeInstanceOf(ApiError);

    expect(happened).toEqual(["signed out old"]);
  });

  test("of signing in with a wrong password signs nobody out", async () => {
    const { call, happened } = aClient([{ status: 401, body: { error: "ERR_INVALID_CREDENTIALS", requestId: "1" } }]);

    await expect(call(auth.login, { body: { email: "a@b.c", password: "x" } })).rejects.toMatchObject({ status: 401 });

    expect(happened).toEqual([]);
  });

  test("that meets an open ticket gives it as the subject (behaviour 1)", async () => {
    const body = { error: '{"id":5}', code: "ERR_OTHER_OPEN_TICKET", requestId: "1" };
    const { call } = aClient([{ status: 409, body }]);

    await expect(call(queues.list, {})).rejects.toMatchObject({
      code: "ERR_OTHER_OPEN_TICKET",
      details: { subject: { id: 5 } },
    });
  });

  test("answered by a proxy's page is an error with a code all the same", async () => {
    const { call } = aClient([{ status: 502, body: "<html>Bad gateway</html>" }]);

    await expect(call(queues.list, {})).rejects.toMatchObject({ code: "ERR_UNAVAILABLE", serverText: undefined });
  });
});

test("paths and queries are encoded, empty values left out", () => {
  expect(pathOf("/a/:id/b/:name", { id: 3, name: "x/y" })).toBe("/a/3/b/x%2Fy");
  expect(() => pathOf("/a/:id", {})).toThrow(ApiError);
  expect(queryOf({ searchParam: "joão", pageNumber: 2, tag: undefined, none: null })).toBe(
    "?searchParam=jo%C3%A3o&pageNumber=2",
  );
  expect(queryOf({})).toBe("");
});

describe("refreshing", () => {
  /** Tabs of one browser: one store, one lock, one server that rotates. */
  function aBrowser() {
    const world = { stored: "t0" as string | undefined, asked: 0, isOver: false, isDown: false };
    let lock: Promise<unknown> = Promise.resolve();
    const aTab = () =>
      createRefresh<{ token: string }>({
        requestToken: async () => {
          world.asked += 1;
          await Promise.resolve();
          if (world.isDown) {
            throw new ApiError("network", 0);
          }
          return world.isOver ? undefined : { token: `t${world.asked}` };
        },
        readToken: () => world.stored,
        saveSession: ({ token }) => {
          world.stored = token;
          return Promise.resolve();
        },
        onSessionEnded: () => {
          world.stored = undefined;
        },
        withLock: (work) => {
          const result = lock.then(work);
          lock = result.catch(() => undefined);
          return result;
        },
      });
    return { world, aTab };
  }

  test("many calls of a tab at once ask the server once (A-05)", async () => {
    const { world, aTab } = aBrowser();
    const renew = aTab();

    expect(await Promise.all([renew("t0"), renew("t0"), renew("t0")])).toEqual(["t1", "t1", "t1"]);
    expect(world.asked).toBe(1);
  });

  test("two tabs at once ask the server once: the second takes the first one's token (A-05)", async () => {
    const { world, aTab } = aBrowser();

    expect(await Promise.all([aTab()("t0"), aTab()("t0")])).toEqual(["t1", "t1"]);
    expect(world.asked).toBe(1);
  });

  test("a later death is renewed again", async () => {
    const { aTab } = aBrowser();
    const renew = aTab();

    expect([await renew("t0"), await renew("t1")]).toEqual(["t1", "t2"]);
  });

  test("a session that is over clears what was stored", async () => {
    const { world, aTab } = aBrowser();
    world.isOver = true;

    expect(await aTab()("t0")).toBeUndefined();
    expect(world.stored).toBeUndefined();
  });

  test("an unreachable server keeps the sign-in and may be asked again", async () => {
    const { world, aTab } = aBrowser();
    const renew = aTab();
    world.isDown = true;
    await expect(renew("t0")).rejects.toBeInstanceOf(ApiError);

    world.isDown = false;
    expect(await renew("t0")).toBe("t2");
  });
});
