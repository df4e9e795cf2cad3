import { expect, test } from "vitest";
import { isPrivateHost, PrivateAddressError, publicLookup, refusePrivateAddress } from "./private-addresses.ts";

test.each([
  ["127.0.0.1", true],
  ["10.1.2.3", true],
  ["172.20.0.1", true],
  ["192.168.1.1", true],
  ["169.254.169.254", true],
  ["100.64.0.1", true],
  ["0.0.0.0", true],
  ["[::1]", true],
  ["[fd00::1]", true],
  ["[fe80::1]", true],
  ["[::ffff:127.0.0.1]", true],
  ["localhost", true],
  ["db.internal", true],
  ["printer.local", true],
  ["8.8.8.8", false],
  ["[2606:4700::1111]", false],
  ["push.example.com", false],
])("is %s out of reach: %s", (host, expected) => {
  expect(isPrivateHost(host)).toBe(expected);
});

test("a name that leads into a private network is refused when it is resolved", async () => {
  const outcome = await new Promise((resolve) => publicLookup("localhost", { all: true }, (error) => resolve(error)));

  expect(outcome).toBeInstanceOf(PrivateAddressError);
});

test("an address that somebody typed is refused by its field, whoever is going to call it (O-08, O-09)", () => {
  expect(() => refusePrivateAddress("urlN8N", "http://10.0.0.5:5678/webhook")).toThrow("ERR_VALIDATION");
  expect(() => refusePrivateAddress("urlN8N", "https://n8n.example.com/webhook")).not.toThrow();
  expect(() => refusePrivateAddress("urlN8N", "")).not.toThrow();
});
