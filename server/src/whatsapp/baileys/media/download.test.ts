import { expect, test } from "vitest";
import { mediaUrl } from "./download.ts";

const trusting = { mediaHosts: ["localhost:9443"] };
test.each<[string, string | null, string | null, string | null]>([
  ["WhatsApp's host", "https://mmg.whatsapp.net/v/x", "/v/x?a=b", "https://mmg.whatsapp.net/v/x?a=b"],
  ["no url at all", null, "/v/x", "https://mmg.whatsapp.net/v/x"],
  [
    "the host of WhatsApp Web, which serves no files",
    "https://web.whatsapp.net",
    "/v/x?a=b",
    "https://mmg.whatsapp.net/v/x?a=b",
  ],
  [
    "one of WhatsApp's caches",
    "https://media-gru2-1.cdn.whatsapp.net/v/x",
    "/v/x",
    "https://media-gru2-1.cdn.whatsapp.net/v/x",
  ],
  [
    "a cache at a provider",
    "https://media.fgru5-1.fna.whatsapp.net/v/x",
    "/v/x",
    "https://media.fgru5-1.fna.whatsapp.net/v/x",
  ],
  [
    "a picture, which has an address only",
    "https://pps.whatsapp.net/v/x?a=b",
    null,
    "https://pps.whatsapp.net/v/x?a=b",
  ],
  ["a host of the settings", "https://localhost:9443/x", "/x", "https://localhost:9443/x"],
  ["another port of it", "https://localhost:1/x", "/x", null],
  ["plain http", "http://mmg.whatsapp.net/x", "/x", null],
  ["somebody's server", "https://evil.example/x", "/x", null],
  ["a name that only ends alike", "https://evilwhatsapp.net/x", "/x", null],
  ["credentials in the address", "https://mmg.whatsapp.net@evil.example/x", "/x", null],
  ["a path that leads away", "https://mmg.whatsapp.net/x", "//evil.example/x", null],
  ["a path that is an address", "https://mmg.whatsapp.net/x", "https://127.0.0.1/x", null],
  ["another port of WhatsApp", "https://mmg.whatsapp.net:8443/x", "/x", null],
])("a file is fetched from trusted hosts only: %s", (_name, url, directPath, expected) => {
  if (expected === null) {
    expect(() => mediaUrl({ url, directPath }, trusting)).toThrow("Files are not fetched from");
  } else {
    expect(mediaUrl({ url, directPath }, trusting).href).toBe(expected);
  }
});
