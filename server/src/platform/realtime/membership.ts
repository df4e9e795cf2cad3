import type { Socket } from "socket.io";
import { everybody, scoped, sessionRoom, userRoom } from "./types.ts";
import type { JoinArgument, JoinHandler, SocketUser } from "./types.ts";

/** Limit of joined rooms of a socket; more conversations and lists than anybody has open. */
const MAX_JOINS = 200;

/** Rooms of one socket: its own, and those that the user joined and may see. */
export interface Membership {
  joinOwnRooms(): Promise<void>;
  /** True when the user may join. Calls of one socket run one after the other. */
  join(name: string, argument: JoinArgument): Promise<boolean>;
  /**
   * Undoes one join of the same name and argument; the room is left after as many leaves as joins (behaviour 2). Joins that
   * were refused do not count, so the counter has at most MAX_JOINS entries.
   */
  leave(name: string, argument: JoinArgument): Promise<void>;
  /** Evaluates every join again with the current rights. True when the set of rooms changed. */
  reevaluate(): Promise<boolean>;
  isIn(room: string): boolean;
  /** Joins as the browser requested them. */
  all(): readonly { readonly name: string; readonly argument: JoinArgument }[];
}

interface Joined {
  readonly name: string;
  readonly argument: JoinArgument;
  readonly rooms: readonly string[];
  /** Number of joins: two windows of a browser on one conversation leave it one after the other (behaviour 2). */
  readonly times: number;
}

export function createMembership(
  socket: Socket,
  user: () => SocketUser,
  handlers: ReadonlyMap<string, JoinHandler>,
): Membership {
  const joined = new Map<string, Joined>();
  const { companyId, userId, sessionId } = user().actor;
  const own = [everybody, userRoom(userId), sessionRoom(sessionId)];
  let last: Promise<unknown> = Promise.resolve();

  /** Serializes calls: a leave must not overtake a join that still queries the database. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  }

  const isNeeded = (room: string) =>
    own.includes(room) || [...joined.values()].some(({ rooms }) => rooms.includes(room));

  async function enter(rooms: readonly string[]) {
    await socket.join(rooms.map((room) => scoped(companyId, room)));
  }
  async function leaveUnneeded(rooms: readonly string[]) {
    for (const room of rooms.filter((each) => !isNeeded(each))) {
      await socket.leave(scoped(companyId, room));
    }
  }

  async function evaluateJoin(name: string, argument: JoinArgument, more: 0 | 1): Promise<boolean> {
    const key = keyOf(name, argument);
    const before = joined.get(key);
    const rooms = (await handlers.get(name)?.(user(), argument)) ?? [];
    joined.delete(key);
    if (rooms.length > 0 && joined.size < MAX_JOINS) {
      joined.set(key, { name, argument, rooms, times: (before?.times ?? 0) + more });
      await enter(rooms);
    }
    await leaveUnneeded(before?.rooms ?? []);
    return joined.has(key);
  }

  return {
    joinOwnRooms: () => enter(own),
    join: (name, argument) => inOrder(() => evaluateJoin(name, argument, 1)),
    leave: (name, argument) =>
      inOrder(async () => {
        const key = keyOf(name, argument);
        const entry = joined.get(key);
        if (entry && entry.times > 1) {
          joined.set(key, { ...entry, times: entry.times - 1 });
        } else if (entry) {
          joined.delete(key);
          await leaveUnneeded(entry.rooms);
        }
      }),
    reevaluate: () =>
      inOrder(async () => {
        const before = roomsOf(joined);
        for (const { name, argument } of [...joined.values()]) {
          await evaluateJoin(name, argument, 0);
        }
        return before !== roomsOf(joined);
      }),
    isIn: (room) => socket.rooms.has(scoped(companyId, room)),
    all: () => [...joined.values()],
  };
}

/** One for all spellings of an id, which are one room. */
function keyOf(name: string, argument: JoinArgument): string {
  const text = String(argument ?? "");
  return `${name} ${/^\s*\d{1,15}\s*$/.test(text) ? Number(text) : text}`;
}

function roomsOf(joined: ReadonlyMap<string, Joined>): string {
  return [...joined.values()]
    .flatMap(({ rooms }) => rooms)
    .toSorted()
    .join(" ");
}
