/** Do features form circles? Asked of folders, and of what ships: a test may put any features together. */
import type { IModule } from "dependency-cruiser";
import type { Violation } from "./violation.ts";

const inFeature = /^((?:server|web)\/src\/features\/[^/]+)\//u;
const inTest = /\.(test|e2e)\.tsx?$/u;

/** One violation for each feature that is reached again from its neighbours. */
export function featureCircles(modules: readonly IModule[]): Violation[] {
  const neighbours = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = inTest.test(source) ? undefined : inFeature.exec(source)?.[1];
    for (const { resolved } of from === undefined ? [] : dependencies) {
      const to = inFeature.exec(resolved)?.[1];
      if (from !== undefined && to !== undefined && to !== from) {
        neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
      }
    }
  }
  return [...neighbours.keys()].flatMap((feature) => {
    const way = wayBack(feature, neighbours);
    return way === undefined
      ? []
      : [
          {
            rule: "features-form-no-circles",
            file: feature,
            message: `→ ${way.join(" → ")}\n  Features form no circles: the lower one moves the higher one by an event.`,
          },
        ];
  });
}

/** The shortest way from a feature back to itself. */
function wayBack(feature: string, neighbours: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const waiting: string[][] = [...(neighbours.get(feature) ?? [])].map((next) => [next]);
  const seen = new Set<string>();
  for (let way = waiting.shift(); way !== undefined; way = waiting.shift()) {
    const here = way.at(-1) ?? feature;
    if (here === feature) {
      return way;
    }
    if (!seen.has(here)) {
      seen.add(here);
      waiting.push(...[...(neighbours.get(here) ?? [])].map((next) => [...(way ?? []), next]));
    }
  }
  return undefined;
}
