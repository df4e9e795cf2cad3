import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { postPublic } from "./post-public.ts";
import { PrivateAddressError } from "./private-addresses.ts";

const post = (address: string, mayBePrivate = false) =>
  postPublic(address, {
    headers: { "content-type": "application/json" },
    body: "{}",
    signal: AbortSignal.timeout(5_000),
    answerLetters: 5,
    mayBePrivate,
  });

test("private addresses are refused, by name when it connects, unless the operator allows them; redirects are not followed (V-06)", async () => {
  for (const address of [
    "http://127.0.0.1:9/",
    "http://169.254.169.254/latest",
    "ftp://site.example/",
    "http://localhost.example.test.localhost./",
  ]) {
    await expect(post(address)).rejects.toThrow(PrivateAddressError);
  }
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(302, { location: "http://127.0.0.1:9/", "retry-after": "7" }).end("0123456789");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await post(`http://127.0.0.1:${port}/`, true)).toEqual({ status: 302, retryAfter: "7", text: "01234" });
});
