import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { fetchPublic } from "./fetch-public.ts";
import { isRefusedUrl, PrivateAddressError } from "./private-addresses.ts";

let close: () => void = () => {};
afterEach(() => close());

/** A site under the public name site.test, which only these tests resolve to this machine. */
async function site(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => server.closeAllConnections() ?? server.close();
  return `http://site.test:${(server.address() as AddressInfo).port}`;
}

const guard: NonNullable<Parameters<typeof fetchPublic>[1]["guard"]> = {
  isRefused: isRefusedUrl,
  lookup: (_host, options, callback) =>
    options.all ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4),
};
const fetchPage = (url: string, limits: { maxBytes?: number; isCut?: boolean; ms?: number } = {}) =>
  fetchPublic(url, {
    accepts: /^text\/html\b/,
    maxBytes: limits.maxBytes ?? 1_000,
    isCut: limits.isCut ?? false,
    signal: AbortSignal.timeout(limits.ms ?? 5_000),
    guard,
  });
const html = { "content-type": "text/html; charset=utf-8" };

test("follows redirects without cookies, and says where the page was", async () => {
  const cookies: unknown[] = [];
  const url = await site((request, response) => {
    cookies.push(request.headers.cookie);
    if (request.url === "/old") {
      response.writeHead(302, { location: "/new", "set-cookie": "a=1" }).end();
    } else {
      response.writeHead(200, html).end("<title>Oi</title>");
    }
  });
  const { url: final, body } = await fetchPage(`${url}/old`);
  expect([final.pathname, body.toString(), cookies]).toEqual(["/new", "<title>Oi</title>", [undefined, undefined]]);
});

test.each([
  "http://127.0.0.1/",
  "http://169.254.169.254/latest/meta-data",
  "file:///etc/passwd",
  "http://a:b@site.test/",
])("a redirect to %s is refused", async (location) => {
  const url = await site((_request, response) => response.writeHead(302, { location }).end());
  await expect(fetchPage(url)).rejects.toThrow(PrivateAddressError);
});

test("a name that resolves to a private address is refused when it connects", async () => {
  const signal = AbortSignal.timeout(5_000);
  await expect(
    fetchPublic("http://localhost.example.test.localhost./", { accepts: /./, maxBytes: 1, signal }),
  ).rejects.toThrow(PrivateAddressError);
});

test("redirects without end, other types, other states and packed bodies are refused", async () => {
  const url = await site((request, response) => {
    switch (request.url) {
      case "/loop":
        return response.writeHead(302, { location: "/loop" }).end();
      case "/pdf":
        return response.writeHead(200, { "content-type": "application/pdf" }).end("x");
      case "/packed":
        return response.writeHead(200, { ...html, "content-encoding": "gzip" }).end("x");
      default:
        return response.writeHead(404, html).end("x");
    }
  });
  for (const path of ["/loop", "/pdf", "/packed", "/gone"]) {
    await expect(fetchPage(`${url}${path}`)).rejects.toThrow();
  }
});

test("a long body is cut or refused, and a slow one ends", async () => {
  const url = await site((request, response) => {
    response.writeHead(200, html);
    response.write("x".repeat(2_000));
    if (request.url !== "/slow") {
      response.end();
    }
  });
  expect((await fetchPage(url, { isCut: true })).body.length).toBe(1_000);
  await expect(fetchPage(url)).rejects.toThrow("too large");
  await expect(fetchPage(`${url}/slow`, { maxBytes: 9_000, ms: 200 })).rejects.toThrow();
});
