import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { AccessClaims } from "#server/platform/auth/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";
import type { ExampleSessions } from "#server/testing/example.ts";
import { connectSocket } from "#server/testing/socket.ts";
import type { SocketOptions, TestSocket } from "#server/testing/socket.ts";

let app: TestApp;
/** A second process on the same database. */
let other: TestApp;
const sessions: ExampleSessions = new Map();
const ana = { userId: 1, companyId: 1, sessionId: "ana" };
const bia = { userId: 2, companyId: 1, sessionId: "bia" };
const eve = { userId: 3, companyId: 2, sessionId: "eve" };

beforeAll(async () => {
  app = await createTestApp({ features: [exampleFeature(sessions)] });
  other = await createTestApp({ features: [exampleFeature(sessions)], sameDatabaseAs: app });
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(() => {
  for (const claims of [ana, bia, eve]) {
    sessions.set(claims.sessionId, exampleSession(claims));
  }
  app.services.sessions.forgetAll();
  other.services.sessions.forgetAll();
});

async function connect(to: TestApp, claims: AccessClaims, wishes?: SocketOptions): Promise<TestSocket> {
  const socket = await to.connect(claims, wishes);
  onTestFinished(() => socket.close());
  return socket;
}

/** Another session of Ana's. */
function aSession(sessionId: string): AccessClaims {
  const claims = { ...ana, sessionId };
  sessions.set(sessionId, exampleSession(claims));
  return claims;
}

async function write(noteId: number, text: string, claims: AccessClaims = ana): Promise<void> {
  expect((await app.as(claims).post(`/notes/${noteId}`, { text })).status).toBe(200);
}

/** Resolves when the server knows that its sockets are gone. */
async function hasNoSockets(of: TestApp): Promise<void> {
  await expect.poll(async () => (await of.services.metrics.sockets.get()).values[0]?.value).toBe(0);
}

const heard = (socket: TestSocket) =>
  socket.packets.filter(({ event }) => event === "company-note").map(({ payload }) => payload);

test("a handshake without a live session is refused by its code", async () => {
  const refused = async (claims: AccessClaims) => connect(app, claims).catch((error: Error) => error.message);
  expect(await refused({ ...ana, sessionId: "gone" })).toBe("ERR_NOT_SIGNED_IN");
  sessions.set("ana", exampleSession(ana, {}, { isActive: false }));
  expect(await refused(ana)).toBe("ERR_COMPANY_DISABLED");
});

test("a session has twenty sockets at most, also of many at once; one that closes makes room (N-03)", async () => {
  const tabs = aSession("tabs");
  const many = await Promise.allSettled(Array.from({ length: 23 }, () => connect(app, tabs)));
  const open = many.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const refused = many.flatMap((one) => (one.status === "rejected" ? [(one.reason as Error).message] : []));
  expect([open.length, refused]).toEqual([20, Array.from({ length: 3 }, () => "ERR_TOO_MANY_SOCKETS")]);
  await connect(app, ana);

  open[0]?.close();
  await expect
    .poll(() =>
      connect(app, tabs).then(
        () => "let in",
        (error: Error) => error.message,
      ),
    )
    .toBe("let in");
});

test("`ready` carries the stream position and its epoch", async () => {
  const socket = await connect(app, ana);
  const ready = await socket.next("ready");
  expect(ready.payload).toEqual({ cursor: expect.stringMatching(/~\d+:\d+:/), epoch: expect.any(String) });
  expect(await socket.ready).toContain(`${(ready.payload as { epoch: string }).epoch}~`);
});

test("an event reaches the sockets of its room in both processes, and no others", async () => {
  const [here, there, outside] = [await connect(app, ana), await connect(other, bia), await connect(app, bia)];
  expect([await here.join("joinNote", 1), await there.join("joinNote", 1)]).toEqual([true, true]);
  await write(1, "hello");
  await Promise.all([app.settle(), other.settle()]);

  const packet = await here.next("company-note");
  expect(packet).toMatchObject({ payload: { noteId: 1, text: "hello" }, cursor: expect.stringContaining("~") });
  expect(await there.next("company-note")).toMatchObject({ payload: { text: "hello" } });
  await outside.flushed();
  expect(heard(outside)).toEqual([]);
});

test("the same room name in another company is another room", async () => {
  const stranger = await connect(app, eve);
  expect(await stranger.join("joinNote", 1)).toBe(true);
  await write(1, "private to company 1");
  await app.settle();
  await stranger.flushed();
  expect(heard(stranger)).toEqual([]);
});

test("a room that the user may not enter stays shut, and leaving ends it", async () => {
  const socket = await connect(app, ana);
  expect(await socket.join("joinNote", 100)).toBe(false);
  expect(await socket.join("joinNote", "x")).toBe(false);
  expect(await socket.join("joinNote", 2)).toBe(true);
  await socket.join("leaveNote", 2);
  await write(2, "unheard");
  await app.settle();
  await socket.flushed();
  expect(heard(socket)).toEqual([]);
});

test("joins are counted: a room is left when as many leaves as joins came, in the handshake and after it (N-04)", async () => {
  const socket = await connect(app, ana, { joins: [["joinNote", 4]] });
  expect(await socket.join("joinNote", 4)).toBe(true);
  await socket.join("leaveNote", 4);
  await write(4, "heard");
  await app.settle();
  expect((await socket.next("company-note")).payload).toMatchObject({ text: "heard" });

  await socket.join("leaveNote", 4);
  await write(4, "unheard");
  await app.settle();
  await socket.flushed();
  expect(heard(socket)).toHaveLength(1);
});

test("events of one kind that come together are one packet", async () => {
  const socket = await connect(app, ana);
  await socket.join("joinNote", 3);
  await app.database.inCompany(1, async (ctx) => {
    ["first", "second", "third"].forEach((text) => ctx.emit({ type: "note.written", payload: { noteId: 3, text } }));
  });
  await app.settle();
  expect((await socket.next("company-note")).payload).toEqual({ noteId: 3, text: "third", from: 3 });
});

test("of several packets each browser learns its place with its last one, so that a cut between them loses none (N-05)", async () => {
  const [both, one] = [await connect(app, ana), await connect(app, bia)];
  const before = await both.ready;
  await Promise.all([both.join("joinNote", 8), both.join("joinNote", 9), one.join("joinNote", 8)]);
  await app.database.inCompany(1, async (ctx) => {
    [8, 9].forEach((noteId) => ctx.emit({ type: "note.written", payload: { noteId, text: `note ${noteId}` } }));
  });
  await app.settle();
  await Promise.all([both.flushed(), one.flushed()]);

  const places = (socket: TestSocket) =>
    socket.packets.filter(({ event }) => event === "company-note").map(({ cursor }) => cursor !== undefined);
  expect(places(both)).toEqual([false, true]);
  expect(places(one)).toEqual([true]);

  // Cut after the first: it comes back from the place that it had, and is told both without a place before `ready`.
  const back = await connect(app, ana, {
    cursor: before,
    joins: [
      ["joinNote", 8],
      ["joinNote", 9],
    ],
  });
  expect(heard(back)).toMatchObject([{ noteId: 8 }, { noteId: 9 }]);
  expect(places(back)).toEqual([false, false]);
});

test("a browser that comes back gets what it missed of its rooms, and nothing else", async () => {
  const first = await connect(app, ana);
  const cursor = await first.ready;
  first.close();
  await write(4, "while away");
  await write(5, "in a room that it was not in");
  // Also where it comes back to: what that process has not read yet it would tell once more (see the next test).
  await Promise.all([app.settle(), other.settle()]);

  const back = await connect(other, ana, { cursor, joins: [["joinNote", 4]] });
  expect(heard(back)).toEqual([{ noteId: 4, text: "while away", from: 1 }]);
  expect(back.packets.map(({ event }) => event)).toEqual(["company-note", "ready"]);

  const again = await connect(app, ana, { cursor: await back.ready, joins: [["joinNote", 4]] });
  expect(heard(again)).toEqual([]);
});

test("a replay reads up to the position of the log, so events that the tail of the new process reads later are sent twice", async () => {
  const late = await createTestApp({ features: [exampleFeature(sessions)], sameDatabaseAs: app, closeAfterTest: true });
  await late.product.tail.stop();
  const first = await connect(app, ana);
  const cursor = await first.ready;
  first.close();
  await write(10, "while away");

  const back = await connect(late, ana, { cursor, joins: [["joinNote", 10]] });
  expect(heard(back)).toEqual([{ noteId: 10, text: "while away", from: 1 }]);
  await late.settle();
  await back.flushed();
  // The same state again, which a browser may apply twice; left out it would be missing.
  expect(heard(back)).toEqual(Array(2).fill({ noteId: 10, text: "while away", from: 1 }));
});

test("nothing is lost between what was missed and what is live", async () => {
  const first = await connect(app, ana);
  const cursor = await first.ready;
  first.close();
  const texts = Array.from({ length: 40 }, (_, at) => `number ${at}`);
  const writing = (async () => {
    for (const text of texts) {
      await write(6, text);
    }
  })();
  const sockets = await Promise.all(
    texts.slice(0, 10).map(async (_, at) => {
      await pause(at * 4);
      return connect(at % 2 === 0 ? app : other, ana, { cursor, joins: [["joinNote", 6]] });
    }),
  );
  await writing;
  await Promise.all([app.settle(), other.settle()]);
  for (const socket of sockets) {
    await socket.flushed();
    const told = heard(socket) as { text: string; from: number }[];
    expect(told.at(-1)?.text).toBe("number 39");
    // Coalesced packets stand for several events; told twice is allowed, left out is not.
    expect(told.reduce((sum, { from }) => sum + from, 0)).toBeGreaterThanOrEqual(texts.length);
  }
});

test("a cursor of another epoch leads to a refetch", async () => {
  const first = await connect(app, ana);
  const cursor = await first.ready;
  const lost = await connect(app, ana, { cursor: cursor.replace(/^[^~]+/, "restored") });
  expect(lost.packets.map(({ event }) => event)).toEqual(["refetch", "ready"]);
  expect(await lost.next("refetch")).toMatchObject({ payload: { withinMs: expect.any(Number) } });
  expect(await connect(app, ana, { cursor: "not a cursor" }).then((socket) => socket.packets[0]?.event)).toBe(
    "refetch",
  );
});

test("after a restore of the database every connected browser is asked to refetch", async () => {
  const socket = await connect(app, ana);
  await sql`update epoch set id = 'restored'`.execute(app.db.system);
  await Promise.all([app.settle(), other.settle()]);
  expect(await socket.next("refetch")).toMatchObject({ payload: { withinMs: 10_000 } });
  expect(app.product.tail?.cursor()).toMatch(/^restored/);
});

test("sessions that ended and rights that changed without an event, as by a restore, end at a reset of the database (A-07, V-05)", async () => {
  sessions.set("ana", exampleSession(ana, { queueIds: [100] }));
  const [ended, kept] = [await connect(other, bia), await connect(other, ana)];
  expect(await kept.join("joinNote", 100)).toBe(true);
  const gone = new Promise((resolve) => ended.io.once("disconnect", resolve));
  sessions.delete("bia");
  sessions.set("ana", exampleSession(ana, { queueIds: [] }));
  await sql`update epoch set id = 'without their events'`.execute(app.db.system);
  await Promise.all([app.settle(), other.settle()]);

  expect(await gone).toBe("io server disconnect");
  await expect.poll(() => kept.packets.filter(({ event }) => event === "refetch")).toHaveLength(2);
  await write(100, "not for ana any more");
  await Promise.all([app.settle(), other.settle()]);
  await kept.flushed();
  expect(heard(kept)).toEqual([]);
});

test("a view that cannot be read is not passed over in silence", async () => {
  const socket = await connect(app, ana);
  await app.database.inCompany(1, async (ctx) => ctx.emit({ type: "note.broken", payload: {} }));
  await app.settle();
  await socket.next("refetch");
});

test("the end of a session closes its sockets at once, on every process (A-07)", async () => {
  const [ended, kept] = [await connect(other, ana), await connect(other, bia)];
  const gone = new Promise((resolve) => ended.io.once("disconnect", resolve));
  sessions.delete("ana");
  await app.database.inCompany(1, async (ctx) => ctx.emit({ type: "session.ended", payload: { sessionId: "ana" } }));
  await Promise.all([app.settle(), other.settle()]);
  expect(await gone).toBe("io server disconnect");
  expect(kept.io.connected).toBe(true);
});

test("nor does a socket stay that came while its session ended or its company closed (A-07, V-05)", async () => {
  const { sessions: entries } = app.services;
  const load = entries.load.bind(entries);
  const came = async (id: string, then: () => unknown) => {
    const looked = vi.spyOn(entries, "load").mockImplementationOnce(async (claims) => {
      const session = await load(claims);
      then();
      entries.forgetSession(claims.sessionId);
      return session;
    });
    const token = await app.services.tokens.issue(aSession(id));
    const { io, close, ready } = connectSocket(await app.listen(), token, {});
    ready.catch(() => undefined);
    const why = await new Promise((resolve) =>
      io.once("disconnect", resolve).once("ready", resolve).once("connect_error", resolve),
    );
    close();
    looked.mockRestore();
    expect(why).toBe("io server disconnect");
  };
  await came("ending", () => sessions.delete("ending"));
  await came("closing", () => sessions.set("closing", exampleSession(ana, {}, { isActive: false })));
});

test("a socket whose rights and last paid day changed while it connected has the new ones (N-06, V-05)", async () => {
  const clock = createMovedClock();
  const moved = await createTestApp({
    features: [exampleFeature(sessions)],
    sameDatabaseAs: app,
    clock,
    closeAfterTest: true,
  });
  const claims = aSession("changing");
  sessions.set("changing", exampleSession(claims, { queueIds: [100, 102] }));
  const { sessions: entries, tokens } = moved.services;
  const load = entries.load.bind(entries);
  const joins = [101, 102].map((noteId) => ["joinNote", noteId] as const);
  let early = Promise.resolve(false);
  vi.spyOn(entries, "load")
    .mockImplementationOnce(async (asked) => {
      const before = await load(asked);
      const paid = { lastDay: "2026-03-01", endsAt: new Date(clock.now().getTime() + 60_000) };
      sessions.set("changing", exampleSession(claims, { queueIds: [101] }, { paid }));
      entries.forgetSession(asked.sessionId);
      return before;
    })
    .mockImplementationOnce(async (asked) => {
      // A browser that does not wait for `ready`.
      expect(await early).toBe(true);
      return load(asked);
    });
  const socket = connectSocket(await moved.listen(), await tokens.issue(claims), { joins });
  onTestFinished(() => socket.close());
  early = socket.join("joinNote", 100);
  await socket.ready;

  await write(100, "not for ana any more");
  await write(102, "nor this");
  await write(101, "for ana now");
  await moved.settle();
  await socket.next("company-note");
  await socket.flushed();
  expect(heard(socket)).toMatchObject([{ noteId: 101 }]);

  const closed = new Promise((resolve) => socket.io.once("disconnect", () => resolve("closed")));
  clock.advance({ seconds: 61 });
  await write(101, "after the last paid day");
  await moved.settle();
  expect(await Promise.race([closed, socket.next("company-note")])).toBe("closed");
});

test("changed rights move a socket between rooms and request a refetch", async () => {
  sessions.set("ana", exampleSession(ana, { queueIds: [100] }));
  const socket = await connect(app, ana);
  expect(await socket.join("joinNote", 100)).toBe(true);

  sessions.set("ana", exampleSession(ana, { queueIds: [] }));
  await app.database.inCompany(1, async (ctx) => ctx.emit({ type: "user.updated", payload: { userId: 1 } }));
  await app.settle();
  await socket.next("refetch");
  await write(100, "not for ana any more");
  await app.settle();
  await socket.flushed();
  expect(heard(socket)).toEqual([]);
});

test("while the rights of a socket are read anew nothing reaches it, and then only what it may still see (N-06)", async () => {
  const { sessions: entries } = app.services;
  const load = entries.load.bind(entries);
  let reading = Promise.withResolvers<void>();
  const looked = vi.spyOn(entries, "load").mockImplementation(async (claims) => {
    if (claims.sessionId === "ana") {
      await reading.promise;
    }
    return load(claims);
  });
  onTestFinished(() => looked.mockRestore());
  const change = (queueIds: number[]) => {
    sessions.set("ana", exampleSession(ana, { queueIds }));
    return app.database.inCompany(1, async (ctx) => ctx.emit({ type: "user.updated", payload: { userId: 1 } }));
  };
  reading.resolve();
  sessions.set("ana", exampleSession(ana, { queueIds: [100] }));
  const socket = await connect(app, ana);
  expect(await socket.join("joinNote", 100)).toBe(true);

  reading = Promise.withResolvers();
  await change([100, 101]);
  await app.settle();
  await write(100, "still for ana", bia);
  await app.settle();
  await socket.flushed();
  expect(heard(socket)).toEqual([]);
  reading.resolve();
  expect(await socket.next("company-note")).toMatchObject({ payload: { text: "still for ana" } });

  reading = Promise.withResolvers();
  await change([]);
  await app.settle();
  await write(100, "not for ana any more", bia);
  await app.database.inCompany(1, async (ctx) => ctx.emit({ type: "note.private", payload: { userId: 1 } }));
  await app.settle();
  reading.resolve();
  await socket.next("refetch");
  await socket.flushed();
  // what is hers whatever her rights comes all the same, and no refetch would tell it
  expect(heard(socket)).toHaveLength(2);
  expect(JSON.stringify(heard(socket))).not.toContain("not for ana");
});

test("a session that expires while its socket is open ends it, unless it was renewed meanwhile (A-07)", async () => {
  const clock = createMovedClock();
  const moved = await createTestApp({
    features: [exampleFeature(sessions)],
    sameDatabaseAs: app,
    clock,
    closeAfterTest: true,
  });
  const claims = aSession("expiring");
  const expiresIn = (seconds: number) => ({ expiresAt: new Date(clock.now().getTime() + seconds * 1_000) });
  sessions.set("expiring", exampleSession(claims, {}, expiresIn(60)));
  const socket = await connect(moved, claims);
  await socket.join("joinNote", 7);
  const closed = new Promise((resolve) => socket.io.once("disconnect", () => resolve("closed")));

  sessions.set("expiring", exampleSession(claims, {}, expiresIn(120)));
  clock.advance({ seconds: 61 });
  await write(7, "renewed");
  await moved.settle();
  expect(await Promise.race([closed, socket.next("company-note")])).toMatchObject({ payload: { text: "renewed" } });

  sessions.delete("expiring");
  clock.advance({ seconds: 60 });
  await write(7, "expired");
  await moved.settle();
  expect(await closed).toBe("closed");
});

test("a socket over the packet rate is disconnected and may reconnect with a full bucket; others go on (N-04)", async () => {
  const [loud, calm] = [await connect(app, ana), await connect(app, bia)];
  const cut = new Promise((resolve) => loud.io.once("disconnect", resolve));
  Array.from({ length: 1_000 }, (_, note) => loud.io.emit("joinNote", note + 1_000));
  expect(await cut).toBe("io server disconnect");
  expect(await calm.join("joinNote", 9)).toBe(true);
  expect(await (await connect(app, ana)).join("joinNote", 9)).toBe(true);
});

test("a private event reaches its user only", async () => {
  const [mine, theirs] = [await connect(app, ana), await connect(app, bia)];
  await app.database.inCompany(1, async (ctx) => ctx.emit({ type: "note.private", payload: { userId: 1 } }));
  await app.settle();
  await mine.next("company-note");
  await theirs.flushed();
  expect(heard(theirs)).toEqual([]);
});

test("three hundred sockets get an update once each within one settle", async () => {
  const claims = Array.from({ length: 300 }, (_, n) => aSession(`of many ${n}`));
  const sockets = await Promise.all(claims.map((each) => connect(app, each)));
  await Promise.all(sockets.map((socket) => socket.join("joinNote", 7)));
  await write(7, "to all");
  await app.settle();
  await Promise.all(sockets.map((socket) => socket.flushed()));
  expect(sockets.map((socket) => heard(socket).length)).toEqual(sockets.map(() => 1));
});

test("a user is online while a socket lives anywhere, and offline a minute after the last (U-04)", async () => {
  await sql`insert into companies (name) values ('Desk')`.execute(app.db.system);
  await sql`insert into users (company_id, name, email, password_hash) values (1, 'Ana', 'ana@example.com', '-')`.execute(
    app.db.system,
  );
  const presence = () => app.product.realtime?.presence.heartbeat();
  const told = async () => {
    const { rows } = await sql<{ is_online: boolean }>`
      select (payload->>'isOnline')::boolean as is_online from event_log where type = 'user.presence' order by id`.execute(
      app.db.system,
    );
    return rows.map((row) => row.is_online);
  };
  const aMinutePasses = () =>
    sql`update user_presence set seen_at = seen_at - interval '61 seconds'`.execute(app.db.system);

  const [here, there] = [await connect(app, ana), await connect(other, ana)];
  await Promise.all([presence(), other.product.realtime?.presence.heartbeat()]);
  expect(await told()).toEqual([true]);

  here.close();
  await hasNoSockets(app);
  await aMinutePasses();
  await other.product.realtime?.presence.heartbeat();
  await presence();
  expect(await told()).toEqual([true]);

  await there.flushed();
  there.close();
  await hasNoSockets(other);
  await aMinutePasses();
  await presence();
  expect(await told()).toEqual([true, false]);
});

test("a user who connects to two processes at the same moment comes online once (U-04)", async () => {
  await sql`insert into companies (id, name) overriding system value values (77, 'Twice')`.execute(app.db.system);
  await sql`
    insert into users (id, company_id, name, email, password_hash) overriding system value
    values (77, 77, 'Caio', 'caio@example.com', '-')`.execute(app.db.system);
  const told = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from event_log where type = 'user.presence' and company_id = 77`.execute(
      app.db.system,
    );
    return rows[0]?.count;
  };
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted`.execute(app.db.system);
    return rows.length;
  };

  // The other process has written that he is here, and not committed it yet.
  await other.db.systemTx(async (tx) => {
    await sql`insert into user_presence (user_id, company_id, is_online, seen_at) values (77, 77, true, now())`.execute(
      tx.db,
    );
    app.product.realtime?.presence.connected(77, 77);
    await expect.poll(waiting).toBe(1);
  });
  await app.product.realtime?.presence.heartbeat();
  expect(await told()).toBe(0);
});
