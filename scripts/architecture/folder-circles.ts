/** Do features form circles, or the rooms inside one? Asked of folders, and of what ships: a test may join any. */
import type { IModule } from "dependency-cruiser";
import type { Violation } from "./violation.ts";

const feature = /^((?:server|web)\/src\/features\/[^/]+)\//u;
const room =
  /^((?:(?:server|web)\/src\/features\/[^/]+|server\/src\/platform\/[^/]+|server\/src\/whatsapp\/baileys|wa-sim\/src)\/[^/]+)\//u;
const test = /\.(test|e2e)\.tsx?$/u;

type Neighbours = Map<string, Set<string>>;

/** One violation for each feature that is reached again from its neighbours; types count. */
export function featureCircles(modules: readonly IModule[]): Violation[] {
  const neighbours = neighboursOf(modules, feature);
  return circlesOf(neighbours).map((circle) =>
    violation(
      "features-form-no-circles",
      circle,
      "Features form no circles: the lower one moves the higher one by an event.",
    ),
  );
}

/** One violation for each room that is reached again from its neighbours in the same noun; types count. */
export function roomCircles(modules: readonly IModule[]): Violation[] {
  const neighbours = neighboursOf(modules, room);
  for (const [from, reached] of neighbours) {
    neighbours.set(from, new Set([...reached].filter((to) => nounOf(to) === nounOf(from))));
  }
  return circlesOf(neighbours).map((circle) =>
    violation(
      "rooms-form-no-circles",
      circle,
      "Rooms form no circles: what both need goes to the top or to a lower room.",
    ),
  );
}

/** A room without an index.ts has no door: nobody outside could say what it offers. */
export function roomsWithoutIndex(modules: readonly IModule[]): Violation[] {
  const sources = modules.map(({ source }) => source);
  const rooms = new Set(sources.flatMap((source) => room.exec(source)?.[1] ?? []));
  return [...rooms]
    .filter((folder) => !sources.some((source) => source === `${folder}/index.ts`))
    .map((folder) => ({
      rule: "every-room-has-an-index",
      file: folder,
      message: "A folder inside a noun says in its index.ts what the noun's other rooms may use.",
    }));
}

function neighboursOf(modules: readonly IModule[], folder: RegExp): Neighbours {
  const neighbours: Neighbours = new Map();
  for (const { source, dependencies } of modules) {
    const from = test.test(source) ? undefined : folder.exec(source)?.[1];
    for (const { resolved } of from === undefined ? [] : dependencies) {
      const to = folder.exec(resolved)?.[1];
      if (from !== undefined && to !== undefined && to !== from) {
        neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
      }
    }
  }
  return neighbours;
}

function nounOf(roomFolder: string): string {
  return roomFolder.slice(0, roomFolder.lastIndexOf("/"));
}

interface Circle {
  readonly folder: string;
  readonly path: readonly string[];
}

function circlesOf(neighbours: Neighbours): Circle[] {
  return [...neighbours.keys()].flatMap((folder) => {
    const path = pathBack(folder, neighbours);
    return path === undefined ? [] : [{ folder, path }];
  });
}

function violation(rule: string, { folder, path }: Circle, reason: string): Violation {
  return { rule, file: folder, message: `→ ${path.join(" → ")}\n  ${reason}` };
}

/** The shortest path from a folder back to itself. */
function pathBack(start: string, neighbours: Neighbours): string[] | undefined {
  const queue: string[][] = [...(neighbours.get(start) ?? [])].map((next) => [next]);
  const seen = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const here = path.at(-1) ?? start;
    if (here === start) {
      return path;
    }
    if (!seen.has(here)) {
      seen.add(here);
      queue.push(...[...(neighbours.get(here) ?? [])].map((next) => [...(path ?? []), next]));
    }
  }
  return undefined;
}
