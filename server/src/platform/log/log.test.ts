import { hostname } from "node:os";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { prettyLines } from "./pretty.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog({ level: "info", to: { write: (line) => void lines.push(line) } }));
  return lines.join("");
}

test.each([
  [{ password: "prosa123" }],
  [{ body: { email: "a@b.c", password: "prosa123" } }],
  [{ request: { headers: { authorization: "Bearer prosa123" } } }],
  [{ request: { headers: { cookie: "jrt=prosa123" } } }],
  [{ headers: { "set-cookie": "jrt=prosa123" } }],
  [{ prompt: { apiKey: "prosa123", voiceKey: "prosa123" } }],
  [{ session: { token: "prosa123", refreshToken: "prosa123" } }],
])("a secret in %j never reaches a line", (facts) => {
  expect(logged((log) => log.info(facts, "x"))).not.toContain("prosa123");
});

test("a line is JSON with its level in words, its time and the error's stack", () => {
  const line = JSON.parse(logged((log) => log.error({ err: new Error("broken") }, "it failed"))) as Record<
    string,
    unknown
  >;
  expect(line).toMatchObject({
    level: "error",
    msg: "it failed",
    time: expect.stringMatching(/^\d{4}-/),
    err: { message: "broken", stack: expect.any(String) },
  });
});

test("a log line contains host, pid and role of its process", () => {
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line) };
  createLog({ level: "info", roles: new Set(["http", "worker"]), to }).info("x");
  createLog({ level: "info", roles: new Set(["http", "realtime", "worker", "lines"]), to }).info("x");
  const [some, all] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(some).toMatchObject({ host: hostname(), pid: process.pid, role: "http,worker" });
  expect(all).toMatchObject({ role: "all" });
});

test("on a terminal a line is one line", () => {
  let text = "";
  createLog({ level: "info", to: prettyLines({ write: (line) => (text += line) }) }).warn({ port: 8080 }, "hello");
  expect(text).toMatch(/^\d\d:\d\d:\d\d .*warn .* hello port=8080\n$/);
});
