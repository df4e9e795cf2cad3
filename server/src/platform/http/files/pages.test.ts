import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";
import { onServer } from "#server/testing/server.ts";
import { loadWebApp } from "./web-app.ts";

const ana = { userId: 1, companyId: 1, sessionId: "ana" };
const page = { accept: "text/html,application/xhtml+xml", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({
    features: [exampleFeature(new Map([["ana", exampleSession(ana)]]))],
    env: { FRONTEND_URLS: "https://desk.example.com", PUBLIC_URL: "https://prosa.example.com" },
  });
});
afterAll(() => app.close());

test.each(["/tickets", "/tickets/1a2b", "/login", "/"])("a browser that opens %s gets the web app", async (path) => {
  const answer = await app.as(undefined).get(path, page);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
  });
});

test("of others' pages only the player of help videos may stand in a frame (Y-03)", async () => {
  const policy = String((await app.as(undefined).get("/helps", page)).headers["content-security-policy"]);
  expect(policy.split("; ").find((rule) => rule.startsWith("frame-src"))).toBe(
    "frame-src 'self' blob: https://www.youtube-nocookie.com",
  );
});

test("a page that the service worker fetches for a reload is the page too", async () => {
  const fetched = { accept: page.accept, "sec-fetch-dest": "empty", "sec-fetch-mode": "same-origin" };
  for (const path of ["/tickets", "/todolist"]) {
    expect((await app.as(undefined).get(path, fetched)).headers["content-type"]).toContain("text/html");
  }
});

test("/source redirects to the configured source URL", async () => {
  const asks = await app.as(undefined).get("/source", page);
  expect([asks.status, asks.text]).toEqual([200, expect.stringContaining("GNU Affero General Public License")]);
  const changed = await createTestApp({ env: { SOURCE_URL: "https://code.example.com/prosa/" }, closeAfterTest: true });
  const leads = await changed.as(undefined).get("/source", page);
  expect([leads.status, leads.headers["location"]]).toEqual([302, "https://code.example.com/prosa"]);
});

test("the app's own calls to the same address get the API", async () => {
  expect(await app.as(ana).get("/tickets", { accept: "application/json, text/plain, */*" })).toMatchObject({
    status: 200,
    body: { me: 1 },
  });
  expect(await app.as(undefined).get("/tickets", { accept: "*/*", "sec-fetch-dest": "empty" })).toMatchObject({
    status: 401,
  });
  expect(await app.as(ana).get("/tickets", page)).toMatchObject({ status: 200, body: { me: 1 } });
});

test("an unknown address is JSON for a program", async () => {
  expect(await app.as(undefined).get("/no/such/call")).toMatchObject({ status: 404, body: { error: "ERR_NOT_FOUND" } });
  expect(await app.as(undefined).post("/login", {}, page)).toMatchObject({
    status: 404,
    body: { error: "ERR_NOT_FOUND" },
  });
});

test.each(["/health", "/ready", "/version", "/docs/json"])("%s answers a browser too", async (path) => {
  expect(await app.as(undefined).get(path, page)).toMatchObject({
    status: 200,
    headers: { "content-type": expect.stringMatching(/json/) },
  });
});

test("/version is the package's", async () => {
  expect(await app.as(undefined).get("/version")).toMatchObject({
    body: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  });
});

test("CORS answers configured origins with credentials, and no other", async () => {
  const asked = (origin: string) => app.as(undefined).get("/version", { origin });
  expect((await asked("https://desk.example.com")).headers).toMatchObject({
    "access-control-allow-origin": "https://desk.example.com",
    "access-control-allow-credentials": "true",
  });
  expect((await asked("https://evil.example")).headers["access-control-allow-origin"]).toBeUndefined();

  const preflight = await app.product.http.fastify.inject({
    method: "OPTIONS",
    url: "/notes/1",
    headers: {
      origin: "https://desk.example.com",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });
  expect(preflight.headers["access-control-allow-methods"]).toContain("POST");
});

test("behind https every answer asks for https next time", async () => {
  expect((await app.as(undefined).get("/version")).headers["strict-transport-security"]).toBe("max-age=31536000");
});

test("/metrics answers this machine only, and not through a proxy", async () => {
  const { text } = await app.as(undefined).get("/metrics");
  expect(text).toContain("prosa_sockets");
  expect(text).toContain('prosa_jobs{state="dead"} 0');
  for (const name of [
    ...["x-forwarded-for", "x-real-ip", "forwarded", "via", "x-forwarded-proto", "cf-connecting-ip"],
    ...[
      "true-client-ip",
      "x-azure-clientip",
      "x-originating-ip",
      "x-remote-ip",
      "x-appengine-user-ip",
      "x-proxyuser-ip",
    ],
  ]) {
    expect([name, (await app.as(undefined).get("/metrics", { [name]: "203.0.113.7" })).status]).toEqual([name, 403]);
  }
  for (const [host, status] of [
    ["desk.example.com", 403],
    ["127.0.0.1.example.com", 403],
    ["127.0.0.1:8080", 200],
    ["[::1]:8080", 200],
  ] as const) {
    expect([host, (await app.as(undefined).get("/metrics", { host })).status]).toEqual([host, status]);
  }
});

test("production shows the page of its API only when asked", async () => {
  const env = { NODE_ENV: "production" };
  const closed = await createTestApp({ features: [exampleFeature(new Map())], env, closeAfterTest: true });
  expect((await closed.as(undefined).get("/docs/json")).status).toBe(404);
  const open = await createTestApp({
    features: [exampleFeature(new Map())],
    env: { ...env, API_DOCS: "on" },
    closeAfterTest: true,
  });
  expect((await open.as(undefined).get("/docs/json")).status).toBe(200);
});

test("with METRICS_TOKEN /metrics asks for it", async () => {
  const guarded = await createTestApp({
    features: [],
    env: { METRICS_TOKEN: "a-token-for-the-scraper" },
    closeAfterTest: true,
  });
  expect((await guarded.as(undefined).get("/metrics")).status).toBe(403);
  expect(
    (await guarded.as(undefined).get("/metrics", { authorization: "Bearer a-token-for-the-scraper" })).status,
  ).toBe(200);
});

test("/ready names the failed check when the database is away", async () => {
  const lonely = await createTestApp({ features: [], closeAfterTest: true });
  const name = new URL(lonely.database.url).pathname.slice(1);
  await onServer(lonely.database.url, async (client) => {
    await client.query(`alter database ${name} with allow_connections false`);
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  });
  const answer = await lonely.as(undefined).get("/ready");
  expect(answer).toMatchObject({ status: 503, body: { status: "not ready", checks: { database: false } } });
  expect((await lonely.as(undefined).get("/health")).status).toBe(200);
});

test("built files travel compressed and are kept by the browser for ever; pages are not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "prosa-web-"));
  const script = `console.log("${"long enough to compress ".repeat(100)}");`;
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets/app-1a2b.js"), script);
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Prosa</title>");
  await writeFile(join(folder, ".built-from"), "hash");
  const server = await webServer(folder);
  const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

  const plain = await get("/assets/app-1a2b.js");
  expect(plain.headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": "text/javascript; charset=utf-8",
  });
  expect(plain.body).toBe(script);

  const small = await get("/assets/app-1a2b.js", { "accept-encoding": "gzip, deflate, br" });
  expect(small.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(script);
  expect((await get("/assets/app-1a2b.js", { "accept-encoding": "gzip, br;q=0" })).headers["content-encoding"]).toBe(
    "gzip",
  );

  const known = await get("/assets/app-1a2b.js", { "if-none-match": String(plain.headers["etag"]) });
  expect([known.statusCode, known.body]).toEqual([304, ""]);

  expect((await get("/index.html")).headers["cache-control"]).toBe("no-cache");
  for (const outside of ["/.built-from", "/assets/..%2f..%2fetc/passwd", "/assets/../../package.json", "/nothing.js"]) {
    expect((await get(outside)).headers["cache-control"]).toBe("no-cache");
  }
  await server.close();
  await rm(folder, { recursive: true });
});

/** Files where there are files, the page everywhere else. */
async function webServer(folder: string): Promise<FastifyInstance> {
  const webApp = await loadWebApp(folder);
  const server = Fastify();
  server.setNotFoundHandler(
    async (request, reply) => (await webApp.sendFile(request, reply)) ?? webApp.sendPage(request, reply),
  );
  return server;
}
