import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError, readConfig } from "#server/platform/config/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { createTestApp, testSecret } from "#server/testing/app.ts";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";
import { compose } from "./compose.ts";
import { features } from "./features.ts";
import { checkPort, portError, startProduct } from "./startup/lifecycle.ts";
import { createServices } from "./services.ts";

async function aProcess(env: Record<string, string>, given: readonly Feature[]) {
  const database = await createTestDatabase({ closeAfterTest: true });
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-app-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const config = readConfig({
    NODE_ENV: "test",
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: testSecret,
    PORT: "0",
    HOST: "127.0.0.1",
    ...env,
  });
  const services = await createServices({ config, log: testLog, db: database.db }, given);
  return { database, services, product: await compose(services, given) };
}

test("the features of the product fit together", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  expect(new Set(features.map(({ name }) => name)).size).toBe(features.length);
  expect((await app.as(undefined).get("/docs/json")).status).toBe(200);
});

test("two features cannot define one event", async () => {
  const twin: Feature = { name: "twin", events: () => ({ "note.written": async () => [] }) };
  await expect(aProcess({}, [exampleFeature(new Map()), twin])).rejects.toThrow(/note\.written is defined twice.*twin/);
});

test("a process with the role worker alone runs jobs, answers probes and has no API", async () => {
  const done: string[] = [];
  const worker: Feature = {
    ...exampleFeature(new Map()),
    tasks: () => ({ "note.count": async (job) => void done.push(job.task) }),
  };
  const { database, product } = await aProcess({ ROLES: "worker" }, [worker]);
  const running = await startProduct(product);
  await database.inCompany(1, async (ctx) => ctx.enqueue({ task: "note.count", payload: {} }));
  await expect.poll(() => done).toEqual(["note.count"]);

  expect((await fetch(`${running.url}/ready`)).status).toBe(200);
  expect((await fetch(`${running.url}/tickets`)).status).toBe(404);
  expect(product.realtime).toBeUndefined();
  await running.stop();
});

test("stopping waits for the request and the job that run, then closes the port", async () => {
  const steps: string[] = [];
  const claims = { userId: 1, companyId: 1, sessionId: "ana" };
  const gate = Promise.withResolvers<void>();
  const example = exampleFeature(new Map([["ana", exampleSession(claims)]]));
  const slow: Feature = {
    ...example,
    routes(api) {
      example.routes?.(api);
      api.fastify.get("/slow", async () => {
        steps.push("request began");
        await gate.promise;
        return "done";
      });
    },
    tasks: () => ({
      "note.slow": async () => {
        steps.push("job began");
        await gate.promise;
        steps.push("job ended");
      },
    }),
  };
  const { database, product, services } = await aProcess({}, [slow]);
  const running = await startProduct(product);
  expect(services.publicUrl()).toBe(running.url);
  const request = fetch(`${running.url}/slow`).then((answer) => answer.text());
  await database.inCompany(1, async (ctx) => ctx.enqueue({ task: "note.slow", payload: {} }));
  await expect.poll(() => steps.toSorted()).toEqual(["job began", "request began"]);

  const stopped = running.stop();
  expect(running.stop()).toBe(stopped);
  gate.resolve();
  await stopped;
  expect(await request).toBe("done");
  expect(steps).toContain("job ended");
  await expect(fetch(`${running.url}/health`)).rejects.toThrow();
});

test("parts run where their role is, and only there", async () => {
  const steps: string[] = [];
  const part = (name: string, role: "lines" | "worker") => ({
    name,
    role,
    start: async () => void steps.push(`${name} up`),
    stop: async () => void steps.push(`${name} down`),
  });
  const example: Feature = {
    ...exampleFeature(new Map()),
    backgroundServices: () => [part("line", "lines"), part("people", "worker")],
  };
  const { product } = await aProcess({ ROLES: "http,lines" }, [example]);
  const running = await startProduct(product);
  await running.stop();
  expect(steps).toEqual(["line up", "line down"]);
});

test("a part that will not stop does not hold the others", async () => {
  const stubborn: Feature = {
    ...exampleFeature(new Map()),
    backgroundServices: () => [
      {
        name: "stubborn",
        role: "worker",
        start: async () => undefined,
        stop: async () => Promise.reject(new Error("no")),
      },
    ],
  };
  const { product } = await aProcess({}, [stubborn]);
  const running = await startProduct(product);
  await running.stop();
  await expect(fetch(`${running.url}/health`)).rejects.toThrow();
});

test("the real process starts on a database, is ready, and leaves on SIGTERM with 0", async () => {
  const database = await createTestDatabase({ closeAfterTest: true });
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-main-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, "../main.ts")], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      PORT: String(port),
      LOG_LEVEL: "info",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));

  await expect.poll(() => output).toContain(`Prosa is ready: http://localhost:${port}`);
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
  child.kill("SIGTERM");
  await expect.poll(() => output).toContain("stopping");
  // a second signal, forwarded by the parent process
  child.kill("SIGTERM");
  expect(await ended).toBe(0);

  const lines = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: `Prosa is ready: http://localhost:${port}`, pid: child.pid, role: "all" }),
  );
});

/** A background service that records when it starts and stops. */
function aBystander(noted: string[]): Feature {
  const part = { name: "bystander", role: "worker" } as const;
  const note = (word: string) => async () => void noted.push(word);
  return { name: "bystander", backgroundServices: () => [{ ...part, start: note("started"), stop: note("stopped") }] };
}

test("a port in use ends the start with a readable error, before any work begins", async () => {
  const noted: string[] = [];
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;

  const { product } = await aProcess({ PORT: String(port) }, [aBystander(noted)]);
  await expect(startProduct(product)).rejects.toThrow(
    new ConfigError(`PORT: another program listens on ${port}; choose another port`),
  );
  expect(noted).toEqual([]);
});

test("what HOST and PORT cannot be listened on is told in words", async () => {
  // an address for documentation, which no machine has
  await expect(checkPort(readConfig({ HOST: "192.0.2.1", PORT: "0" }))).rejects.toThrow(
    new ConfigError("HOST: 192.0.2.1 is not an address of this machine; leave it out to listen on all of them"),
  );
  const failed = (code: string) => portError(Object.assign(new Error(code), { code }), { port: 80, host: "desk" });
  expect(failed("EACCES")).toEqual(
    new ConfigError("PORT: this user may not listen on 80; choose a port from 1024 on, and let a proxy have 80"),
  );
  expect(failed("ENOTFOUND")).toBeInstanceOf(ConfigError);
  expect(failed("EMFILE")).not.toBeInstanceOf(ConfigError);
});

test("a part that cannot start ends the start, and everything that was started stops", async () => {
  const noted: string[] = [];
  const broken: Feature = {
    name: "broken",
    backgroundServices: () => [
      {
        name: "broken",
        role: "worker",
        start: async () => Promise.reject(new Error("no luck")),
        stop: async () => undefined,
      },
    ],
  };
  const { product } = await aProcess({}, [aBystander(noted), broken]);
  await expect(startProduct(product)).rejects.toThrow("no luck");
  expect(noted).toEqual(["started", "stopped"]);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
