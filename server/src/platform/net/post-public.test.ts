import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { decodeText } from "./decode-text.ts";
import { postPublic } from "./post-public.ts";
import { PrivateAddressError } from "./private-addresses.ts";

const post = (address: string, mayBePrivate = false) =>
  postPublic(address, {
    headers: { "content-type": "application/json" },
    body: "{}",
    signal: AbortSignal.timeout(5_000),
    answerBytes: 5,
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
  expect(await post(`http://127.0.0.1:${port}/`, true)).toEqual({
    status: 302,
    retryAfter: "7",
    text: "01234",
    isCut: true,
  });
});

test.each([
  ["UTF-8", Buffer.from("Olá 👍"), "", "Olá 👍"],
  ["UTF-8 with a mark", Buffer.from("\uFEFF{}"), "", "{}"],
  ["ISO-8859-1 that says so", Buffer.from("Olá, à vista", "latin1"), "text/plain; charset=ISO-8859-1", "Olá, à vista"],
  ["ISO-8859-1 that says nothing", Buffer.from("Olá, à vista", "latin1"), "application/json", "Olá, à vista"],
  ["ISO-8859-1 that calls itself UTF-8", Buffer.from("não", "latin1"), "application/json; charset=utf-8", "não"],
  ["UTF-8 that calls itself ISO-8859-1", Buffer.from("não é"), "text/plain; charset=iso-8859-1", "não é"],
  [
    "UTF-8 with a letter that was cut within",
    Buffer.from("6e c3a3 6f 20 c3 20 c3a9".replaceAll(" ", ""), "hex"),
    "",
    "não \uFFFD é",
  ],
  ["UTF-8 that ends amid a letter", Buffer.from("é👍").subarray(0, 4), "", "é"],
  ["an unknown charset", Buffer.from("não", "latin1"), "text/plain; charset=klingon", "não"],
  ["nothing", Buffer.alloc(0), "", ""],
])("a body in %s is read as it was meant (O-09)", (_, bytes, contentType, text) => {
  expect(decodeText(bytes, contentType)).toBe(text);
});
