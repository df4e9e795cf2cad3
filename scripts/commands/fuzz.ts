import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { LaunchError } from "../launcher/error.mjs";
import { execNode } from "../support/exec.ts";
import { toolPath } from "../support/paths.ts";

/** The long form of server/src/app/fuzz.test.ts: every call of the OpenAPI document with input that nobody foresaw. */
export async function run(args: readonly string[]): Promise<void> {
  const { runs = "100", seed = String(randomInt(2 ** 31)), only, as } = optionsOf(args);
  console.log(`Seed ${seed}, ${runs} requests to each call as each role`);
  const env = {
    ...process.env,
    FUZZ_RUNS: runs,
    FUZZ_SEED: seed,
    ...(only !== undefined && { FUZZ_ONLY: only }),
    ...(as !== undefined && { FUZZ_AS: as }),
  };
  const { ok } = await execNode(toolPath("vitest/vitest.mjs"), ["run", "server/src/app/fuzz.test.ts"], {
    show: true,
    env,
  });
  process.exitCode = ok ? 0 : 1;
}

function optionsOf(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args: [...args], options: { runs: text, seed: text, only: text, as: text } }).values;
  } catch (error) {
    const usage = "npm run fuzz -- [--runs 100] [--seed n] [--only operationId] [--as role]";
    throw new LaunchError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
