import { expect, test } from "vitest";
import { PrivateAddressError } from "#server/platform/net/index.ts";
import { postPush } from "./post-push.ts";

test.each(["https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x", "http://push.example.com/x"])(
  "nothing is posted to %s",
  async (endpoint) => {
    await expect(postPush({ endpoint, headers: {}, body: null }, false)).rejects.toThrow(PrivateAddressError);
  },
);
