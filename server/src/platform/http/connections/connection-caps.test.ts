import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { readConfig } from "#server/platform/config/index.ts";
import type { TrustProxy } from "#server/platform/config/index.ts";
import { exampleFeature } from "#server/testing/example.ts";
import { capsWithin, openableDescriptors, proxyTest } from "./connection-caps.ts";

async function crowd(
  env: Readonly<Record<string, string>>,
  many: number,
): Promise<readonly { status: string; socket: Socket }[]> {
  const app = await createTestApp({ features: [exampleFeature(new Map())], env, closeAfterTest: true });
  const { port } = new URL(await app.listen());
  const found = [];
  for (let each = 0; each < many; each += 1) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.write("GET /health HTTP/1.1\r\nHost: prosa\r\n\r\n");
    const [bytes] = (await once(socket, "data")) as [Buffer];
    found.push({ status: bytes.toString().slice(9, 12), socket });
  }
  // Who goes makes room.
  found[0]?.socket.destroy();
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${port}/health`, { headers: { connection: "close" } })).status)
    .toBe(200);
  found.forEach(({ socket }) => socket.destroy());
  return found;
}

const count = (found: readonly { status: string }[], status: string) =>
  found.filter((each) => each.status === status).length;

test("one address holds so many connections and no more, until it lets go of one (E-03)", async () => {
  const found = await crowd({ MAX_CONNECTIONS_PER_ADDRESS: "10" }, 13);
  expect([count(found, "200"), count(found, "429")]).toEqual([10, 3]);
});

test("all together hold so many connections and no more; a proxy is not counted as one address (E-03)", async () => {
  const env = { MAX_CONNECTIONS: "20", MAX_CONNECTIONS_PER_ADDRESS: "10", TRUST_PROXY: "127.0.0.1" };
  const found = await crowd(env, 23);
  expect([count(found, "200"), count(found, "503")]).toEqual([20, 3]);
});

test("the caps stay below the descriptors that the process has (E-03)", () => {
  const wanted = { total: 10_000, perAddress: 2_000 };
  expect(capsWithin(wanted, 1_048_576)).toEqual(wanted);
  expect(capsWithin(wanted, 1_024)).toEqual({ total: 768, perAddress: 384 });
  expect(capsWithin(wanted, Infinity)).toEqual(wanted);
  expect(openableDescriptors()).toBeGreaterThan(100);
});

test.each<[TrustProxy, string, boolean]>([
  [false, "127.0.0.1", false],
  ["127.0.0.1, 10.0.0.0/8", "10.1.2.3", true],
  ["127.0.0.1, 10.0.0.0/8", "::ffff:10.1.2.3", true],
  ["127.0.0.1, 10.0.0.0/8", "203.0.113.7", false],
  [(_address: string, hop: number) => hop < 1, "203.0.113.7", true],
])("with TRUST_PROXY %s, the peer %s is a proxy: %s", (trust, address, isProxy) => {
  expect(proxyTest(trust)(address)).toBe(isProxy);
});

test("with deploy/compose.yaml nobody forges an address, not even from a private network (E-03)", async () => {
  const compose = await readFile(join(import.meta.dirname, "../../../../../deploy/compose.yaml"), "utf8");
  const [, trust = ""] = /TRUST_PROXY: "?([^"\n]+)/u.exec(compose) ?? [];
  const http = Fastify({ trustProxy: readConfig({ TRUST_PROXY: trust }).trustProxy });
  http.get("/", async ({ ip }) => ip);
  // What deploy/nginx.conf makes of a forged header. It reaches the container from Docker's own network.
  const headers = { "x-forwarded-for": "10.66.6.6, 192.168.50.5" };
  expect((await http.inject({ url: "/", remoteAddress: "172.18.0.1", headers })).body).toBe("192.168.50.5");
});
