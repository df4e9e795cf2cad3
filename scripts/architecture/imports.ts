/** Who imports whom, and may they? Runs the rules of .dependency-cruiser.cjs. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type ICruiseResult,
  type IFlattenedRuleSet,
  type ICruiseOptions,
  type IResolveOptions,
  cruise,
} from "dependency-cruiser";
import { root as project } from "../support/paths.ts";
import { sourceFiles } from "./sources.ts";
import { featureCircles, roomCircles, roomsWithoutIndex } from "./folder-circles.ts";
import type { Violation } from "./violation.ts";

const rooms = [
  "contract/src",
  "wa-sim/src",
  "wa-sim/test",
  "server/src",
  "server/migrations",
  "server/seeds",
  "web/src",
];

interface Configuration extends IFlattenedRuleSet {
  readonly options: ICruiseOptions & { enhancedResolveOptions: Partial<IResolveOptions> };
}

/**
 * Every import under `root` that breaks a rule. A source file that the tool did not read is a violation as well:
 * with a compiler that it does not know, dependency-cruiser finds no modules and would call everything in order.
 */
export async function checkImports(root: string): Promise<Violation[]> {
  const { options, ...ruleSet } = createRequire(import.meta.url)(
    join(project, ".dependency-cruiser.cjs"),
  ) as Configuration;
  const reasons = new Map(ruleSet.forbidden?.map(({ name, comment }) => [name, comment]));
  const { enhancedResolveOptions, ...cruiseOptions } = options;
  const present = rooms.filter((room) => existsSync(join(root, room)));
  const written = sourceFiles(root, present);

  const { output } = await cruise(
    present,
    { ...cruiseOptions, baseDir: root, validate: true, ruleSet, outputType: "json" },
    enhancedResolveOptions,
  );
  const result = JSON.parse(output as string) as ICruiseResult;

  const broken = result.summary.violations.map(({ rule, from, to, cycle }) => {
    const way = cycle ? cycle.map(({ name }) => name).join(" → ") : to;
    return { rule: rule.name, file: from, message: `→ ${way}\n  ${reasons.get(rule.name)}` };
  });
  const seen = new Set(result.modules.map(({ source }) => source));
  const unread = written
    .filter((file) => !seen.has(file))
    .map((file) => ({ rule: "every-module-is-read", file, message: "was not read by dependency-cruiser" }));

  return [
    ...broken,
    ...featureCircles(result.modules),
    ...roomCircles(result.modules),
    ...roomsWithoutIndex(result.modules),
    ...unread,
  ];
}
