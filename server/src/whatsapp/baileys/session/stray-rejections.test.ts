import { expect, test } from "vitest";
import { isLibraryError } from "./stray-rejections.ts";

test("only an unhandled rejection that began in the library is survived", () => {
  const thrownAt = (file: string) =>
    Object.assign(new Error("x"), {
      stack: `Error: x\n    at send (${file}:1:1)\n    at own (/app/server/src/a.ts:1:1)`,
    });
  expect(isLibraryError(thrownAt("file:///app/node_modules/baileys/lib/Socket/socket.js"))).toBe(true);
  expect(isLibraryError(thrownAt("/app/server/src/whatsapp/baileys/line.ts"))).toBe(false);
  expect(isLibraryError("text")).toBe(false);
});
