import { expect, test } from "vitest";
import { ConfigError } from "#server/platform/config/index.ts";
import { runMoveIn } from "./move-in.ts";

test("an option that the wanted thing does not know ends move-in before anything is done (E-09)", async () => {
  const from = ["--from", "postgres://127.0.0.1:1/none"];
  for (const args of [
    ["--undo", "--dry-run"],
    ["--undo", ...from],
    ["--undo", "--media", "/public"],
    ["--undo", "--company", "3"],
    ["--undo", "--source", "new"],
    [...from, "--run", "3"],
    ["--run", "3"],
    [...from, "--source", "old"],
    [],
  ]) {
    const error: unknown = await runMoveIn(args).catch((reason: unknown) => reason);
    expect([args, error]).toEqual([args, expect.any(ConfigError)]);
    expect((error as Error).message).toContain("npm run move-in -- --undo [--run NUMBER]");
  }
});
