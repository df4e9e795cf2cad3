import { expect, test } from "vitest";
import {
  isRefusedUrl,
  isPrivateHost,
  PrivateAddressError,
  publicLookup,
  refusePrivateAddress,
} from "./private-addresses.ts";

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
  ["[::127.0.0.1]", true],
  ["[::7f00:1]", true],
  ["[::ffff:0:7f00:1]", true],
  ["[64:ff9b::7f00:1]", true],
  ["[64:ff9b::a9fe:a9fe]", true],
  ["[64:ff9b::a83f:8110]", true],
  ["[64:ff9b::8.8.8.8]", false],
  ["[64:ff9b::]", true],
  ["64:FF9B:0:0:0:0:808:808", false],
  ["[64:ff9b:0:1::808:808]", false],
  ["168.63.129.16", true],
  ["168.63.129.17", false],
  ["[64:ff9b:1::7f00:1]", true],
  ["[2001:0:4136:e378:8000:63bf:3fff:fdd2]", true],
  ["[2002:7f00:1::]", true],
  ["[fec0::1]", true],
  ["localhost", true],
  ["localhost.", true],
  ["localhost.localdomain", true],
  ["localhost.localdomain.", true],
  ["router.lan", true],
  ["nas.home.arpa", true],
  ["redis", true],
  ["db.internal", true],
  ["printer.local", true],
  ["8.8.8.8", false],
  ["[2606:4700::1111]", false],
  ["push.example.com", false],
])("is %s out of reach: %s", (host, expected) => {
  expect(isPrivateHost(host)).toBe(expected);
});

test.each([
  ["https://n8n.example.com/webhook", false],
  ["https://n8n.example.com:5678/webhook", false],
  ["https://n8n.example.com:443/webhook", false],
  ["http://me:secret@n8n.example.com/", true],
  ["http://me@n8n.example.com/", true],
  ["http://n8n.example.com:22/", true],
  ["http://n8n.example.com:25/", true],
  ["http://n8n.example.com:6379/", true],
  ["http://0x7f.1/", true],
  ["http://2130706433/", true],
  ["http://[::127.0.0.1]:8080/", true],
])("is %s out of reach: %s", (address, expected) => {
  expect(isRefusedUrl(new URL(address))).toBe(expected);
});

test("a name that leads into a private network is refused when it is resolved", async () => {
  const outcome = await new Promise((resolve) => publicLookup("localhost", { all: true }, (error) => resolve(error)));

  expect(outcome).toBeInstanceOf(PrivateAddressError);
});

test("a private URL in a form field is refused with the name of the field (O-08, O-09)", () => {
  expect(() => refusePrivateAddress("urlN8N", "http://10.0.0.5:5678/webhook")).toThrow("ERR_VALIDATION");
  expect(() => refusePrivateAddress("urlN8N", "https://n8n.example.com/webhook")).not.toThrow();
  expect(() => refusePrivateAddress("urlN8N", "")).not.toThrow();
});
