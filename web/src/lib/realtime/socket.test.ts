import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rulesFor } from "@prosa/contract/permissions";
import { Server, type Socket } from "socket.io";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

/** A server that speaks as ours does, and writes down what it was told. */
interface Desk {
  readonly http: HttpServer;
  readonly io: Server;
  readonly url: string;
  readonly handshakes: Record<string, unknown>[];
  readonly told: unknown[][];
  /** Refuses tokens that are not this one, as a dead token is refused. */
  alive: string;
  line: () => Socket;
  /** Joins that wait to be answered, while they are held. */
  held: (() => void)[] | undefined;
  /** The position that answers about the session carry. */
  startsAt: string | undefined;
  /** No call reaches it. */
  isAway: boolean;
}
let desk: Desk;
/** Fetches that invalidation asked for. */
let fetched: number;
const reload = vi.fn<() => void>();

beforeEach(async () => {
  fetched = 0;
  reload.mockReset();
  desk = await openDesk();
  stubBrowser(desk.url);
  vi.resetModules();
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await desk.io.close();
});

test("the line opens with the token, joins rooms, and is live once the server is ready", async () => {
  const { socket, enter, close } = await aTab();
  enter("joinTickets", "open");

  await until(() => socket.liveState() === "live");
  enter("joinChatBox", 42);
  await until(() => desk.told.length > 0);

  expect(desk.handshakes).toEqual([{ token: "t1", joins: [["joinTickets", "open"]] }]);
  expect(desk.told).toEqual([["joinChatBox", 42]]);
  close();
});

test("what is fetched waits until the server has let us into the room, so that no event falls between (N-05)", async () => {
  const { socket, enter, close } = await aTab();
  await until(() => socket.liveState() === "live");
  desk.held = [];
  enter("joinChatBox", 42);
  let isIn = false;
  void socket.whenRoomJoined("joinChatBox", 42).then(() => (isIn = true));
  await until(() => desk.held?.length === 1);
  expect(isIn).toBe(false);

  desk.held[0]!();
  await until(() => isIn);
  close();
});

test("without a line nothing waits for a room: the way back brings what was missed (N-05)", async () => {
  const { socket, enter } = await aTab({ isOpen: false });
  enter("joinChatBox", 42);

  await expect(socket.whenRoomJoined("joinChatBox", 42)).resolves.toBeUndefined();
});

test("a tab starts at the position of its session: the handshake carries it, and nothing is fetched twice (N-05)", async () => {
  desk.startsAt = "e1~9";
  const { socket, enter, close } = await aTab();
  enter("joinTickets", "open");

  await until(() => socket.liveState() === "live");

  expect(desk.handshakes).toEqual([{ token: "t1", cursor: "e1~9", joins: [["joinTickets", "open"]] }]);
  expect(fetched).toBe(0);
  close();
});

test("what is fetched for a room that the first handshake could not name waits for it, and is fetched once (N-05)", async () => {
  desk.startsAt = "e1~9";
  const { socket, enter, close, letIn } = await aTabAtTheDoor();
  enter("joinChatBox", 42);
  let isIn = false;
  void socket.whenRoomJoined("joinChatBox", 42).then(() => (isIn = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isIn).toBe(false);

  letIn();
  await until(() => isIn && socket.liveState() === "live");
  expect(desk.told).toEqual([["joinChatBox", 42]]);
  expect(fetched).toBe(0);
  close();
});

test("a first handshake that takes too long holds no conversation up, which is then fetched again (N-05)", async () => {
  desk.startsAt = "e1~9";
  const { socket, enter, close, letIn } = await aTabAtTheDoor();
  enter("joinChatBox", 42);
  await socket.whenRoomJoined("joinChatBox", 42);

  letIn();
  await until(() => fetched === 1);
  close();
});

test("a lost line comes back with its cursor and its rooms, and nothing is fetched anew (N-05)", async () => {
  const { socket, registerRealtime, enter, close } = await aTab();
  enter("joinChatBox", 42);
  await until(() => socket.liveState() === "live");
  const told: unknown[] = [];
  registerRealtime({ ticket: (payload) => told.push(payload) });
  desk.line().emit("company-8-ticket", { action: "delete", ticketId: 1 }, { cursor: "e1~11" });
  desk.line().emit("company-7-ticket", { action: "delete", ticketId: 2 }, { cursor: "e1~12" });
  await until(() => told.length > 0);

  const states: string[] = [];
  socket.watch(() => states.push(socket.liveState()));
  desk.line().conn.close();
  await until(() => desk.handshakes.length === 2 && socket.liveState() === "live");

  expect(desk.handshakes[1]).toEqual({ token: "t1", cursor: "e1~12", joins: [["joinChatBox", 42]] });
  expect(states).toEqual(["offline", "catchingUp", "live"]);
  expect(told).toEqual([{ action: "delete", ticketId: 2 }]);
  // once, when it was live for the first time
  expect(fetched).toBe(1);
  close();
});

test("a network that was away too briefly for the line to notice leaves it live, and nothing is missed (N-05)", async () => {
  const { socket, close } = await aTab();
  await until(() => socket.liveState() === "live");

  window.dispatchEvent(new Event("offline"));
  expect(socket.liveState()).toBe("offline");
  window.dispatchEvent(new Event("online"));
  await until(() => socket.liveState() === "live");

  expect(desk.handshakes).toHaveLength(2);
  close();
});

test("a refused token is renewed, and the line opens with the new one", async () => {
  desk.alive = "t2";
  const { socket, close } = await aTab();

  await until(() => socket.liveState() === "live");

  expect(desk.handshakes.map(({ token }) => token)).toEqual(["t1", "t2"]);
  close();
});

test("a token with 180 ms to live is renewed, and the line comes back with the new one (N-05)", async () => {
  const { socket, close } = await aTab();
  await until(() => socket.liveState() === "live");

  desk.alive = "t2";
  localStorage.setItem("token", tokenUntil(Date.now() + 180));
  window.dispatchEvent(new Event("online"));
  await until(() => desk.handshakes.length === 2 && socket.liveState() === "live");

  expect(desk.handshakes[1]).toMatchObject({ token: "t2" });
  expect(reload).not.toHaveBeenCalled();
  close();
});

test("a machine that slept past the end of its token reloads the page one second after it woke (N-05)", async () => {
  const { socket, close } = await aTab();
  await until(() => socket.liveState() === "live");

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  localStorage.setItem("token", tokenUntil(Date.now() - 1));
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(999);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(reload).toHaveBeenCalledOnce();
  close();
});

test("a machine that wakes without a network reloads the page once the server answers, and not before (N-05)", async () => {
  const { socket, close } = await aTab();
  await until(() => socket.liveState() === "live");

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  desk.isAway = true;
  localStorage.setItem("token", tokenUntil(Date.now() - 1));
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).not.toHaveBeenCalled();

  desk.isAway = false;
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reload).toHaveBeenCalledOnce();
  close();
});

test.each([
  ["the token was renewed", () => localStorage.setItem("token", tokenUntil(Date.now() + 3_600_000))],
  ["the socket was closed", (close: () => void) => close()],
])(
  "a page that is about to be reloaded for its token stays where %s while the server was asked for (N-05)",
  async (_, meanwhile) => {
    const { socket, close } = await aTab();
    await until(() => socket.liveState() === "live");

    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = Promise.withResolvers<Response>();
    const fetchOf = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string) => (path === "/build.txt" ? asked.promise : fetchOf(path)));
    localStorage.setItem("token", tokenUntil(Date.now() - 1));
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(1_000);
    meanwhile(close);
    asked.resolve(new Response(""));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reload).not.toHaveBeenCalled();
    close();
  },
);

test("a renewal that fails after the socket was closed is not tried again (N-05, A-05)", async () => {
  const { socket, close } = await aTab();
  await until(() => socket.liveState() === "live");

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const renewal = Promise.withResolvers<Response>();
  const asked = vi.fn<() => Promise<Response>>(() => renewal.promise);
  vi.stubGlobal("fetch", asked);
  localStorage.setItem("token", tokenUntil(Date.now() + 180));
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  close();
  renewal.reject(new TypeError("Failed to fetch"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledOnce();
});

test("where the socket's code does not arrive it is fetched again, and the chip says offline meanwhile (N-05)", async () => {
  loseCode(2);
  const { socket, close } = await aTab();
  await until(() => socket.liveState() === "offline");
  expect(socket.needsReload()).toBe(false);
  window.dispatchEvent(new Event("online"));
  await until(() => socket.needsReload());
  expect(socket.liveState()).toBe("offline");

  await until(() => socket.liveState() === "live");
  expect(socket.needsReload()).toBe(false);
  close();
});

test("where too much was missed the server says refetch, and the screens fetch", async () => {
  const { socket, close } = await aTab();
  await until(() => socket.liveState() === "live");

  desk.line().emit("refetch", { withinMs: 0 });
  await until(() => fetched > 1);

  expect(fetched).toBe(2);
  close();
});

test("a room that two screens want is left when the second one goes", async () => {
  const { socket, enter, close } = await aTab();
  await until(() => socket.liveState() === "live");
  const [one, other] = [enter("joinChatBox", 42), enter("joinChatBox", 42)];
  await until(() => desk.told.length === 1);

  one();
  socket.emitToServer("userStatus");
  await until(() => desk.told.length === 2);
  expect(desk.told).toEqual([["joinChatBox", 42], ["userStatus"]]);

  other();
  const again = enter("joinChatBox", 42);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(desk.told.slice(2), "entered again at once").toEqual([["joinChatBox", 42]]);

  again();
  await until(() => desk.told.length === 4);
  expect(desk.told[3]).toEqual(["leaveChatBox", 42]);
  close();
});

test("signing out closes the line", async () => {
  const { session } = await aTab();
  await until(() => desk.io.engine.clientsCount === 1);

  session.endSession();
  await until(() => desk.io.engine.clientsCount === 0);

  expect(session.currentSession()).toEqual({ state: "out" });
});

/** The modules of one tab, signed in as an agent of company 7. */
async function aTab({ isOpen = true } = {}) {
  const [session, socket, { registerRealtime }, { queryClient }] = await Promise.all([
    import("#web/lib/session/session.ts"),
    import("./socket.ts"),
    import("./realtime.ts"),
    import("#web/lib/records/queryClient.ts"),
  ]);
  localStorage.setItem("token", "t1");
  await session.openSession();
  queryClient.invalidateQueries = () => {
    fetched += 1;
    return Promise.resolve();
  };
  return {
    session,
    socket,
    registerRealtime,
    enter: socket.joinRoom,
    close: isOpen ? socket.openSocket() : () => undefined,
  };
}

/** The socket's code does not arrive so many times. */
function loseCode(times: number): void {
  let lost = 0;
  vi.doMock("socket.io-client", async (importOriginal) => {
    lost += 1;
    if (lost <= times) {
      throw new TypeError("Failed to fetch dynamically imported module");
    }
    return importOriginal();
  });
  onTestFinished(() => vi.doUnmock("socket.io-client"));
}

/** A tab whose first handshake the server has seen, and answers at `letIn()`. */
async function aTabAtTheDoor() {
  let answer = (): void => undefined;
  desk.io.use((_socket, next) => {
    answer = next;
  });
  const tab = await aTab();
  await until(() => desk.handshakes.length === 1);
  return { ...tab, letIn: () => answer() };
}

async function openDesk(): Promise<Desk> {
  const http = createServer();
  const io = new Server(http, { transports: ["websocket"] });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const opened: Desk = {
    http,
    io,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    handshakes: [],
    told: [],
    alive: "t1",
    line: () => [...io.sockets.sockets.values()].at(-1)!,
    held: undefined,
    startsAt: undefined,
    isAway: false,
  };
  io.use((socket, next) => {
    opened.handshakes.push(socket.handshake.auth);
    next(socket.handshake.auth.token === opened.alive ? undefined : new Error("ERR_SESSION_EXPIRED"));
  });
  io.on("connection", (socket) => {
    socket.onAny((...values: unknown[]) => {
      opened.told.push(values.filter((value) => typeof value !== "function"));
      const answer = values.find((value) => typeof value === "function") ?? (() => undefined);
      if (opened.held) {
        opened.held.push(() => void answer(true));
      } else {
        answer(true);
      }
    });
    socket.emit("ready", { cursor: socket.handshake.auth.cursor ?? "e1~10", epoch: "e1" });
  });
  return opened;
}

/** What these modules need of a browser; the socket is a real one. */
function stubBrowser(url: string): void {
  const kept = new Map<string, string>();
  const target = () => new EventTarget();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("location", Object.assign(new URL(url), { reload }));
  vi.stubGlobal("window", target());
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run));
  vi.stubGlobal("document", Object.assign(target(), { visibilityState: "visible", documentElement: { lang: "" } }));
  const me = { id: 1, companyId: 7, company: { dueDate: null }, permissions: rulesFor("user") };
  vi.stubGlobal("fetch", (path: string) =>
    desk.isAway
      ? Promise.reject(new TypeError("Failed to fetch"))
      : Promise.resolve(
          Response.json(path === "/auth/me" ? me : { token: desk.alive, user: me }, {
            headers: desk.startsAt === undefined ? {} : { "x-event-cursor": desk.startsAt },
          }),
        ),
  );
}

function tokenUntil(expiresAt: number): string {
  return `x.${btoa(JSON.stringify({ exp: expiresAt / 1000 }))}.y`;
}

async function until(isSo: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(isSo()).toBe(true), { timeout: 60_000, interval: 10 });
}
