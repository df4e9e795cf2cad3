import { expect, test } from "vitest";
import { isOfTheLibrary } from "./stray-rejections.ts";

test("only an error that began in the library is survived when nobody handles it", () => {
  const thrownAt = (file: string) =>
    Object.assign(new Error("x"), {
      stack: `Error: x\n    at send (${file}:1:1)\n    at own (/app/server/src/a.ts:1:1)`,
    });
  expect(isOfTheLibrary(thrownAt("file:///app/node_modules/baileys/lib/Socket/socket.js"))).toBe(true);
  expect(isOfTheLibrary(thrownAt("/app/server/src/whatsapp/baileys/line.ts"))).toBe(false);
  expect(isOfTheLibrary("text")).toBe(false);
});
