import { expect, test } from "vitest";
import { importKey, nameOf, seal, unseal } from "./seal.ts";

const ours = Buffer.alloc(32, 1).toString("base64url");
const theirs = Buffer.alloc(32, 2).toString("base64url");

test("what one session sealed only its key opens (Z-06)", async () => {
  const sealed = await seal(await importKey(ours), { body: "Olá, Zuleica" });

  expect(Buffer.from(sealed.data).toString()).not.toContain("Zuleica");
  expect(await unseal(await importKey(ours), sealed)).toEqual({ body: "Olá, Zuleica" });
  expect(await unseal(await importKey(theirs), sealed)).toBeUndefined();
});

test("no two seals of the same thing are equal, and names tell nothing", async () => {
  const key = await importKey(ours);
  expect(Buffer.from((await seal(key, 1)).data)).not.toEqual(Buffer.from((await seal(key, 1)).data));
  expect(await nameOf("tickets")).not.toContain("tickets");
});
