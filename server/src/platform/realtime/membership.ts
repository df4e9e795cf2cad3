import type { Socket } from "socket.io";
import { everybody, scoped, sessionRoom, userRoom } from "./parts.ts";
import type { JoinArgument, JoinHandler, SocketUser } from "./parts.ts";

/** More conversations and lists than anybody has open. */
const MOST_JOINS = 200;

/** The rooms of one socket: its own, and those that the person asked for and may enter. */
export interface Membership {
  enterOwnRooms(): Promise<void>;
  /** True when the person may enter. Calls are handled one after the other. */
  join(name: string, argument: JoinArgument): Promise<boolean>;
  /** A room is left when as many leaves as joins came. Without an argument every room of that name, at once. */
  leave(name: string, argument: JoinArgument): Promise<void>;
  /** Asks for every join again, with the rights of now. True when a room came or went. */
  review(): Promise<boolean>;
  isIn(room: string): boolean;
  /** What it has joined, as the browser asked for it. */
  all(): readonly { readonly name: string; readonly argument: JoinArgument }[];
}

interface Joined {
  readonly name: string;
  readonly argument: JoinArgument;
  readonly rooms: readonly string[];
  /** How often it was joined: a browser's two windows on one conversation leave it one after the other (behaviour 2). */
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

  /** A leave that comes while its join still asks the database must come after it. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  }

  const isWanted = (room: string) =>
    own.includes(room) || [...joined.values()].some(({ rooms }) => rooms.includes(room));

  async function enter(rooms: readonly string[]) {
    await socket.join(rooms.map((room) => scoped(companyId, room)));
  }
  async function exitUnwanted(rooms: readonly string[]) {
    for (const room of rooms.filter((each) => !isWanted(each))) {
      await socket.leave(scoped(companyId, room));
    }
  }

  async function ask(name: string, argument: JoinArgument, more: 0 | 1): Promise<boolean> {
    const key = keyOf(name, argument);
    const before = joined.get(key);
    const rooms = (await handlers.get(name)?.(user(), argument)) ?? [];
    joined.delete(key);
    if (rooms.length > 0 && joined.size < MOST_JOINS) {
      joined.set(key, { name, argument, rooms, times: (before?.times ?? 0) + more });
      await enter(rooms);
    }
    await exitUnwanted(before?.rooms ?? []);
    return joined.has(key);
  }

  return {
    enterOwnRooms: () => enter(own),
    join: (name, argument) => inOrder(() => ask(name, argument, 1)),
    leave: (name, argument) =>
      inOrder(async () => {
        for (const [key, entry] of joined) {
          const isMeant = entry.name === name && (argument === undefined || key === keyOf(name, argument));
          if (isMeant && argument !== undefined && entry.times > 1) {
            joined.set(key, { ...entry, times: entry.times - 1 });
          } else if (isMeant) {
            joined.delete(key);
            await exitUnwanted(entry.rooms);
          }
        }
      }),
    review: () =>
      inOrder(async () => {
        const before = roomsOf(joined);
        for (const { name, argument } of [...joined.values()]) {
          await ask(name, argument, 0);
        }
        return before !== roomsOf(joined);
      }),
    isIn: (room) => socket.rooms.has(scoped(companyId, room)),
    all: () => [...joined.values()],
  };
}

function keyOf(name: string, argument: JoinArgument): string {
  return `${name} ${argument ?? ""}`;
}

function roomsOf(joined: ReadonlyMap<string, Joined>): string {
  return [...joined.values()]
    .flatMap(({ rooms }) => rooms)
    .toSorted()
    .join(" ");
}
