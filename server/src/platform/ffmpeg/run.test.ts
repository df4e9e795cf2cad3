import type * as Child from "node:child_process";
import { expect, test, vi } from "vitest";
import { FfmpegError, runFfmpeg } from "./run.ts";

const said = vi.hoisted(() => ({ text: "" }));
vi.mock("node:child_process", async (original) => {
  const actual = await original<typeof Child>();
  return {
    ...actual,
    spawn: (file: string, _args: readonly string[], options: Child.SpawnOptions) =>
      actual.spawn(file, ["-e", `process.stdout.write(${JSON.stringify(said.text)})`], options),
  };
});

const probe = () =>
  runFfmpeg({ input: import.meta.filename, args: [], signal: new AbortController().signal, mostMs: 60_000 });

test.each(["", '{"code":0,"prin', '{"code":0}'])(
  "an answer that is none (%j) fails the run, not the process",
  async (text) => {
    said.text = text;
    await expect(probe()).rejects.toThrow(FfmpegError);
  },
);

test("a whole answer is returned", async () => {
  said.text = JSON.stringify({ code: 0, printed: "ten seconds", words: "" });
  expect(await probe()).toBe("ten seconds");
});
