import { expect, test } from "vitest";
import { createOutbox, FinalRefusal, type NewEntry, type OutboxEntry, type OutboxStore } from "./outbox.ts";

const text = (body: string): NewEntry => ({ ticketId: 1, userId: 1, body, file: null, quotedMsgId: null });

/** A browser whose network gives the listed answers; its store survives a reload. Its tabs are user 1's until they sign out. */
function aBrowser(answers: ("ok" | "lost" | "lostAnswer" | "refused")[] = [], cutOff: readonly number[] = []) {
  const stored = new Map<string, OutboxEntry>();
  const arrived: string[] = [];
  /** Tickets whose requests are not answered. */
  const hanging: number[] = [];
  let ids = 0;
  const store: OutboxStore = {
    all: () => Promise.resolve([...stored.values()]),
    put: (entry) => Promise.resolve(void stored.set(entry.clientId, entry)),
    remove: (clientId) => Promise.resolve(void stored.delete(clientId)),
  };
  const turns = new Map<number, Promise<void>>();
  const openTab = async () => {
    const outbox = createOutbox({
      store,
      deliver: (entry, { signal }) => {
        if (hanging.includes(entry.ticketId)) {
          return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
        }
        const answer = cutOff.includes(entry.ticketId) ? "lost" : (answers.shift() ?? "ok");
        if (answer === "ok" || answer === "lostAnswer") {
          arrived.push(`${entry.clientId}:${entry.body}`);
        }
        return answer === "ok"
          ? Promise.resolve()
          : Promise.reject(answer === "refused" ? new FinalRefusal("ERR_TICKET_NOT_OPEN") : new Error("network"));
      },
      exclusively: (ticketId, work) => {
        const turn = (turns.get(ticketId) ?? Promise.resolve()).then(work);
        turns.set(ticketId, turn);
        return turn;
      },
      wait: () => new Promise(setImmediate),
      now: () => 1_000,
      newId: () => `client-${(ids += 1)}`,
    });
    await outbox.open(1);
    return outbox;
  };
  return { openTab, store, stored, arrived, hanging };
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !isTrue(); turn += 1) {
    await new Promise(setImmediate);
  }
  expect(isTrue()).toBe(true);
}

test("messages are delivered in order and leave the outbox (M-05)", async () => {
  const { openTab, stored, arrived } = aBrowser();
  const outbox = await openTab();
  await outbox.add(text("um"));
  await outbox.add(text("dois"));
  await until(() => outbox.entries().length === 0);
  expect(arrived).toEqual(["client-1:um", "client-2:dois"]);
  expect(stored.size).toBe(0);
});

test("what the outbox cannot take it refuses at once, and what it takes is there at once: the form may forget it (M-05)", async () => {
  const { openTab, arrived } = aBrowser();
  const outbox = await openTab();
  const taken = outbox.add(text("um"));
  expect(outbox.entries()).toMatchObject([{ body: "um" }]);
  await taken;
  await until(() => arrived.length === 1);

  const withoutIds = createOutbox({
    store: aBrowser().store,
    deliver: () => Promise.resolve(),
    exclusively: (_, work) => work(),
    wait: () => Promise.resolve(),
    now: () => 1_000,
    newId: () => {
      throw new TypeError("crypto.randomUUID is not a function");
    },
  });
  expect(() => withoutIds.add(text("dois"))).toThrow(TypeError);
});

test("after a lost answer the same client id is sent again, so that the server recognises it (M-05)", async () => {
  const { openTab, arrived } = aBrowser(["lost", "lostAnswer", "ok"]);
  const outbox = await openTab();
  await outbox.add(text("um"));
  await until(() => outbox.entries().length === 0);
  expect(arrived).toEqual(["client-1:um", "client-1:um"]);
});

test("what was pending when the page was closed is delivered after the reload (M-05)", async () => {
  const { openTab, stored, arrived } = aBrowser();
  stored.set("old", { ...text("antes"), clientId: "old", writtenAt: 5, state: "waiting", failure: null, progress: 0 });
  const outbox = await openTab();
  await until(() => outbox.entries().length === 0);
  expect(arrived).toEqual(["old:antes"]);
});

test("what a closed tab left is sent by another one, once; what was refused there is not (M-05)", async () => {
  const { openTab, stored, arrived } = aBrowser(["refused", "lost"]);
  const [closed, other] = [await openTab(), await openTab()];
  await closed.add(text("recusada"));
  await until(() => closed.entries()[0]?.state === "failed");
  const left: OutboxEntry = {
    ...text("do túnel"),
    clientId: "left",
    writtenAt: 5,
    state: "waiting",
    failure: null,
    progress: 0,
  };
  stored.set("left", left);
  stored.set("theirs", { ...left, clientId: "theirs", userId: 2 });

  await other.retryNow();
  await other.retryNow();
  await until(() => other.entries().length === 0);
  expect(arrived).toEqual(["left:do túnel"]);
  expect([...stored.keys()]).toEqual(["client-1", "theirs"]);
});

test("another user's pending messages are not sent (M-05)", async () => {
  const { openTab, stored, arrived } = aBrowser();
  stored.set("old", {
    ...text("antes"),
    userId: 2,
    clientId: "old",
    writtenAt: 5,
    state: "waiting",
    failure: null,
    progress: 0,
  });
  const outbox = await openTab();
  expect([outbox.entries(), arrived]).toEqual([[], []]);
});

test("a refusal is shown with its reason and does not block the next message; retry sends it (M-02)", async () => {
  const { openTab, arrived } = aBrowser(["refused", "ok", "ok"]);
  const outbox = await openTab();
  await outbox.add(text("um"));
  await outbox.add(text("dois"));
  await until(() => outbox.entries().length === 1);
  expect(outbox.entries()[0]).toMatchObject({ body: "um", state: "failed", failure: "ERR_TICKET_NOT_OPEN" });
  await outbox.retry("client-1");
  await until(() => outbox.entries().length === 0);
  expect(arrived).toEqual(["client-2:dois", "client-1:um"]);
});

test("what failed and is stored after all leaves the outbox; what is not stored stays (M-05, Z-02)", async () => {
  const { openTab, stored } = aBrowser(["refused", "refused", "lost"], [2]);
  const outbox = await openTab();
  await outbox.add(text("um"));
  await outbox.add(text("dois"));
  await outbox.add({ ...text("espera"), ticketId: 2 });
  await until(() => outbox.entries().filter(({ state }) => state === "failed").length === 2);

  outbox.dropStored(new Set(["client-1", "client-3", "other"]));

  expect(outbox.entries().map(({ body }) => body)).toEqual(["dois", "espera"]);
  await until(() => stored.size === 2);
  expect([...stored.keys()]).toEqual(["client-2", "client-3"]);
});

test("a stuck conversation blocks no other, and keeps its own order (M-05)", async () => {
  const stuck = [1];
  const { openTab, arrived } = aBrowser([], stuck);
  const outbox = await openTab();
  await outbox.add(text("um"));
  await outbox.add(text("dois"));
  await outbox.add({ ...text("outra conversa"), ticketId: 2 });
  await until(() => outbox.entries().length === 2);
  expect(arrived).toEqual(["client-3:outra conversa"]);

  stuck.length = 0;
  await outbox.retryNow();
  await until(() => outbox.entries().length === 0);
  expect(arrived.slice(1)).toEqual(["client-1:um", "client-2:dois"]);
});

test("two tabs of one browser deliver a message once (M-05)", async () => {
  const { openTab, stored, arrived } = aBrowser();
  stored.set("old", { ...text("antes"), clientId: "old", writtenAt: 5, state: "waiting", failure: null, progress: 0 });
  const [one, other] = await Promise.all([openTab(), openTab()]);
  await until(() => one.entries().length === 0 && other.entries().length === 0);
  expect(arrived).toEqual(["old:antes"]);
});

test("a message arrives although the store cannot be read any more (M-05)", async () => {
  const { openTab, store, arrived } = aBrowser();
  const outbox = await openTab();
  store.all = () => Promise.reject(new Error("The connection to the database was lost"));
  await outbox.add(text("um"));
  await until(() => outbox.entries().length === 0);
  expect(arrived).toEqual(["client-1:um"]);
});

test("what cannot be read again stays on the screen, and so does what is written while the outbox opens (M-05)", async () => {
  const { openTab, store } = aBrowser([], [1]);
  const outbox = await openTab();
  const { all } = store;
  const reading = Promise.withResolvers<OutboxEntry[]>();
  store.all = () => reading.promise;
  const opening = outbox.open(1);
  store.all = all;
  await outbox.add(text("um"));
  reading.resolve([]);
  await opening;
  store.all = () => Promise.reject(new Error("The connection to the database was lost"));
  await outbox.open(1);
  await outbox.retryNow();
  expect(outbox.entries()).toMatchObject([{ body: "um" }]);
});

test("nothing is sent after sign-out, not even as the next person; the writer's next session sends it (M-05)", async () => {
  const { openTab, stored, arrived, hanging } = aBrowser([], [1]);
  hanging.push(2);
  const outbox = await openTab();
  await outbox.add(text("offline"));
  await outbox.add({ ...text("a caminho"), ticketId: 2 });
  await until(() => outbox.entries().some(({ state }) => state === "sending"));

  outbox.close();
  expect(outbox.entries()).toEqual([]);
  hanging.length = 0;
  await outbox.open(2);
  await outbox.add({ ...text("de outra pessoa"), userId: 2, ticketId: 3 });
  await outbox.add({ ...text("tarde demais"), ticketId: 2 });
  await until(() => outbox.entries().length === 0);
  expect(arrived).toEqual(["client-3:de outra pessoa"]);
  expect([...stored.keys()]).toEqual(["client-1", "client-2", "client-4"]);

  outbox.close();
  await outbox.open(1);
  await until(() => outbox.entries().length === 1);
  expect(arrived.slice(1)).toEqual(["client-2:a caminho", "client-4:tarde demais"]);
});

test("where nothing can be read, what was unsent comes back to its writer after a new sign-in, and to nobody else (M-05)", async () => {
  const { openTab, store, arrived, hanging } = aBrowser([], [1]);
  hanging.push(2);
  const outbox = await openTab();
  store.all = () => Promise.reject(new Error("The connection to the database was lost"));
  await outbox.add(text("offline"));
  await outbox.add({ ...text("a caminho"), ticketId: 2 });
  await outbox.add({ ...text("cancelada"), ticketId: 1 });
  await until(() => outbox.entries().some(({ state }) => state === "sending"));
  outbox.close();
  await outbox.open(2);
  expect(outbox.entries()).toEqual([]);
  outbox.close();

  hanging.length = 0;
  await outbox.open(1);
  expect(outbox.entries().map(({ body }) => body)).toEqual(["offline", "a caminho", "cancelada"]);
  await until(() => outbox.entries().length === 2);
  expect(arrived).toEqual(["client-2:a caminho"]);
  await outbox.cancel("client-3");
  outbox.close();
  await outbox.open(1);
  expect(outbox.entries()).toMatchObject([{ body: "offline" }]);
});

test("who signs out while the outbox opens sends nothing (M-05)", async () => {
  const { openTab, store, stored, arrived } = aBrowser();
  const outbox = await openTab();
  const old: OutboxEntry = {
    ...text("antes"),
    clientId: "old",
    writtenAt: 5,
    state: "waiting",
    failure: null,
    progress: 0,
  };
  stored.set("old", old);
  const { all } = store;
  const reading = Promise.withResolvers<OutboxEntry[]>();
  store.all = () => reading.promise;
  const opening = outbox.open(1);
  outbox.close();
  store.all = all;
  await outbox.open(2);
  reading.resolve([old]);
  await opening;
  expect([outbox.entries(), arrived]).toEqual([[], []]);
});

test("the words of a file that was refused go without it, in their place and under their id (M-05, M-06)", async () => {
  const { openTab, stored, arrived } = aBrowser(["refused"]);
  const outbox = await openTab();
  const file = { blob: new Blob(["x"]), name: "fatura.exe", isVoice: false };
  const clientId = await outbox.add({ ...text("Segue a fatura"), file });
  await until(() => outbox.entries()[0]?.state === "failed");

  const sending = outbox.sendWithoutFile(clientId);
  expect(outbox.entries()).toMatchObject([{ clientId, file: null, failure: null }]);
  await sending;

  await until(() => outbox.entries().length === 0);
  expect(arrived).toEqual(["client-1:Segue a fatura"]);
  expect(stored.size).toBe(0);
});
