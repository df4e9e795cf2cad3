import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../support/paths.ts";

test.each(["SIGTERM", "SIGKILL"] as const)("a server whose npm gets %s is told to stop", async (signal) => {
  const npm = await startThroughNpm();

  npm.kill(signal);

  expect(await restOfOutput(npm)).toBe("told SIGTERM\n");
});

/** A stand-in for the server in a package of its own, so that the real npm starts it as it starts ours. */
async function startThroughNpm(): Promise<ChildProcess> {
  const folder = mkdtempSync(join(tmpdir(), "follow npm "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

  const follow = pathToFileURL(join(root, "scripts/launcher/follow-npm.mjs")).href;
  const start = `node --import ${follow} server.mjs`;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "stand-in", scripts: { start } }));
  writeFileSync(
    join(folder, "server.mjs"),
    `process.on("SIGTERM", () => { console.log("told SIGTERM"); process.exit(); });
     setTimeout(() => process.exit(9), 30_000);
     console.log("ready");`,
  );

  const npm = spawn("npm", ["start", "--silent"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  await once(npm.stdout!.setEncoding("utf8"), "data");
  return npm;
}

/** Everything that is still written to the pipe, until the last process that holds it has ended. */
async function restOfOutput(npm: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of npm.stdout!) {
    text += String(chunk);
  }
  return text;
}
