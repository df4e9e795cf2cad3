import type * as Child from "node:child_process";
import { expect, test, vi } from "vitest";
import { FfmpegError, runFfmpeg } from "./run.ts";

const said = vi.hoisted(() => ({ text: "", script: "", started: 0 }));
vi.mock("node:child_process", async (original) => {
  const actual = await original<typeof Child>();
  return {
    ...actual,
    spawn: (file: string, _args: readonly string[], options: Child.SpawnOptions) => {
      said.started += 1;
      return actual.spawn(file, ["-e", said.script || `process.stdout.write(${JSON.stringify(said.text)})`], options);
    },
  };
});

const probe = (signal = new AbortController().signal) =>
  runFfmpeg({ input: import.meta.filename, args: [], signal, timeoutMs: 60_000 });

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

test("two run at once, others wait, and a waiting run can be aborted", async () => {
  said.script = "setInterval(() => undefined, 1_000)";
  said.started = 0;
  const start = (id: number) => {
    const controller = new AbortController();
    const ended = probe(controller.signal).catch((error: unknown) => error);
    return { ended, leave: () => controller.abort(new Error(`job ${id} was lost`)) };
  };
  const [first, second] = [start(1), start(2)];
  // A run looks at its file before it is queued: only those that have started are known to be ahead.
  await expect.poll(() => said.started).toBe(2);
  const [third, fourth] = [start(3), start(4)];
  third.leave();
  expect(await third.ended).toMatchObject({ message: "job 3 was lost" });
  expect(said.started).toBe(2);

  said.script = "";
  said.text = JSON.stringify({ code: 0, printed: "its turn", words: "" });
  first.leave();
  expect(await fourth.ended).toBe("its turn");
  expect(said.started).toBe(3);
  second.leave();
  await second.ended;
});

test("an answer that does not end is cut, and its process with it", async () => {
  said.script = `const more = () => process.stdout.write("x".repeat(65_536), more); more()`;
  const error = await probe().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FfmpegError);
  expect(error).toMatchObject({ message: "it printed too much" });
}, 20_000);
