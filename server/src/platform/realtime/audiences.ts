import type { Emission } from "./types.ts";

/** Sockets that get the same packets of a batch. */
export interface Audience {
  /** Indexes of the packets, in order. */
  readonly packets: readonly number[];
  readonly ids: readonly string[];
}

/** Whether a socket gets the packet, by the rooms that it is in. */
export function isFor(
  { rooms, except = [] }: Pick<Emission, "rooms" | "except">,
  isIn: (room: string) => boolean,
): boolean {
  return rooms.some(isIn) && !except.some(isIn);
}

/**
 * Who gets which packets. Packets to the same rooms, as those of one list are, are looked up once; so the cost
 * of a batch depends on its different sets of rooms and not on its packets. `socketsIn`: ids of the sockets in a room.
 */
export function audiencesOf(
  emissions: readonly Pick<Emission, "rooms" | "except">[],
  socketsIn: (room: string) => ReadonlySet<string> | undefined,
): readonly Audience[] {
  const setByRooms = new Map<string, number>();
  const sets: ReadonlySet<string>[] = [];
  const setOf = emissions.map(({ rooms, except = [] }) => {
    const [wanted, unwanted] = [rooms, except].map((names) => names.filter((name) => socketsIn(name)));
    const key = JSON.stringify([wanted, unwanted]);
    const known = setByRooms.get(key);
    if (known !== undefined) {
      return known;
    }
    setByRooms.set(key, sets.length);
    return sets.push(membersOf(wanted!, unwanted!)) - 1;
  });

  const groups = new Map<string, Group>();
  const ungrouped: Group = { sets: [], ids: [], next: new Map() };
  sets.forEach((members, index) => {
    for (const id of members) {
      groups.set(id, within(groups.get(id) ?? ungrouped, index));
    }
  });
  for (const [id, group] of groups) {
    group.ids.push(id);
  }
  return [...new Set(groups.values())].map((group) => ({
    packets: emissions.flatMap((_, packet) => (group.sets.includes(setOf[packet]!) ? packet : [])),
    ids: group.ids,
  }));

  function membersOf(wanted: readonly string[], unwanted: readonly string[]): ReadonlySet<string> {
    const [first, ...others] = wanted.map((name) => socketsIn(name) ?? none);
    if (others.length + unwanted.length === 0) {
      return first ?? none;
    }
    const members = new Set(first);
    others.forEach((room) => room.forEach((id) => members.add(id)));
    unwanted.forEach((name) => socketsIn(name)?.forEach((id) => members.delete(id)));
    return members;
  }
}

const none: ReadonlySet<string> = new Set();

/** Sockets that are in these sets of recipients, by index, and in no others. */
interface Group {
  readonly sets: readonly number[];
  readonly ids: string[];
  readonly next: Map<number, Group>;
}

function within(group: Group, set: number): Group {
  const known = group.next.get(set);
  if (known) {
    return known;
  }
  const made: Group = { sets: [...group.sets, set], ids: [], next: new Map() };
  group.next.set(set, made);
  return made;
}
