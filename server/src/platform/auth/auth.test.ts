import { verify } from "@node-rs/argon2";
import type * as Argon2 from "@node-rs/argon2";
import { expect, test, vi } from "vitest";
import { createMovedClock, systemClock } from "#server/platform/clock/index.ts";
import { createSessions } from "./sessions.ts";
import { createSigner } from "./signer.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { createAccessTokens, hashSecret, isSameSecret, newSecret } from "./tokens.ts";
import { DamagedValueError, VaultError, createVault } from "./vault.ts";

vi.mock("@node-rs/argon2", async (importOriginal) => {
  const library = await importOriginal<typeof Argon2>();
  return { ...library, verify: vi.fn<typeof verify>(library.verify) };
});

const secret = "a first secret of thirty-two signs and more";
const newer = "a newer secret of thirty-two signs and more";
const claims = { userId: 1, companyId: 2, sessionId: "s" };

test("an access token lives fifteen minutes", async () => {
  const clock = createMovedClock("2026-03-10T10:00:00Z");
  const tokens = createAccessTokens([secret], clock);
  const token = await tokens.issue(claims);
  clock.advance({ minutes: 14, seconds: 59 });
  expect(await tokens.verify(token)).toEqual(claims);
  expect(await tokens.expiryOf(token)).toBe(Date.parse("2026-03-10T10:15:00Z"));
  clock.advance({ seconds: 1 });
  expect(await tokens.verify(token)).toBeUndefined();
});

test("a token of another secret, algorithm or format is invalid", async () => {
  const tokens = createAccessTokens([secret], systemClock);
  const foreign = await createAccessTokens([newer], systemClock).issue(claims);
  const [, payload] = (await tokens.issue(claims)).split(".");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
  for (const token of [foreign, unsigned, "", "a.b.c"]) {
    expect(await tokens.verify(token)).toBeUndefined();
  }
});

test("after a rotation old tokens verify, and new ones need the new secret", async () => {
  const old = await createAccessTokens([secret], systemClock).issue(claims);
  const rotated = createAccessTokens([newer, secret], systemClock);
  expect(await rotated.verify(old)).toEqual(claims);
  expect(await createAccessTokens([secret], systemClock).verify(await rotated.issue(claims))).toBeUndefined();
});

test("a password is known by its argon2id hash, and an unknown account costs the same work (A-11)", async () => {
  const hashed = await hashPassword("prosa123");
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hashed, "prosa123")).toBe(true);
  expect(await verifyPassword(hashed, "prosa124")).toBe(false);
  expect(await verifyPassword(undefined, "no account has this password")).toBe(false);

  const verified = vi.mocked(verify);
  verified.mockClear();
  await verifyPassword(hashed, "wrong");
  await verifyPassword(undefined, "wrong");
  const costs = verified.mock.calls.map(([hash]) => String(hash).split("$").slice(0, 4));
  expect(costs).toEqual([hashed.split("$").slice(0, 4), hashed.split("$").slice(0, 4)]);
});

test("secrets for cookies and links are random, and only their hash is kept", () => {
  const made = newSecret();
  expect(Buffer.from(made, "base64url")).toHaveLength(32);
  expect(newSecret()).not.toBe(made);
  expect(hashSecret(made)).not.toContain(made);
  expect([isSameSecret("a", "a"), isSameSecret("a", "ab")]).toEqual([true, false]);
});

test("sealed bytes open in their own place only", () => {
  const vault = createVault([secret]);
  const sealed = vault.seal("pre-key", "wa-key:7:pre-key:1");
  expect(vault.open(sealed, "wa-key:7:pre-key:1").toString()).toBe("pre-key");
  expect(sealed.includes("pre-key")).toBe(false);
  for (const elsewhere of ["wa-key:8:pre-key:1", "wa-key:7:pre-key:2", ""]) {
    expect(() => vault.open(sealed, elsewhere)).toThrow(DamagedValueError);
  }
});

test("a changed byte anywhere is noticed", () => {
  const vault = createVault([secret]);
  const sealed = vault.seal(Buffer.from("bytes"), "place");
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => vault.open(changed, "place")).toThrow(VaultError);
  }
});

test("what is cut off or not of this format is damaged; only an unknown key id is a lost secret", () => {
  const vault = createVault([secret]);
  const sealed = vault.seal("bytes", "place");
  const otherFormat = Buffer.concat([Buffer.of(9), sealed.subarray(1)]);
  for (const damaged of [Buffer.alloc(0), sealed.subarray(0, 5), sealed.subarray(0, 32), otherFormat]) {
    expect(() => vault.open(damaged, "place")).toThrow(DamagedValueError);
  }
  const lost = expect(() => createVault([newer]).open(sealed, "place"));
  lost.toThrow(VaultError);
  lost.not.toThrow(DamagedValueError);
});

test("after a rotation old values decrypt, and new ones are encrypted with the new secret", () => {
  const old = createVault([secret]);
  const rotated = createVault([newer, secret]);
  const sealed = old.seal("x", "place");
  expect(rotated.open(sealed, "place").toString()).toBe("x");
  expect([old.hasOlderKeys, rotated.hasOlderKeys]).toEqual([false, true]);
  const again = rotated.seal("x", "place");
  expect([sealed, again].map((bytes) => bytes.subarray(1, 5).equals(rotated.keyId))).toEqual([false, true]);
  expect(() => old.open(again, "place")).toThrow(/SECRET_KEY/);
  expect(rotated.openText(rotated.sealText("olá", "t"), "t")).toBe("olá");
});

test("a signed text comes back only unchanged, for its purpose, in time", () => {
  const clock = createMovedClock("2026-03-10T10:00:00Z");
  const signer = createSigner([secret], clock);
  const token = signer.sign("media", "company/1/a.png", new Date("2026-03-10T11:00:00Z"));
  expect(token).toMatch(/^[\w.-]+$/);
  expect(signer.verify("media", token)).toEqual({ state: "valid", payload: "company/1/a.png" });
  expect(signer.verify("mail", token)).toEqual({ state: "forged" });
  const [payload = "", expiry = "", mac = ""] = token.split(".");
  const later = (Number.parseInt(expiry, 36) + 1).toString(36);
  for (const forged of [
    `${payload}.${later}.${mac}`,
    `${payload}x.${expiry}.${mac}`,
    `${payload}.${expiry}.`,
    "",
    `${token}.x`,
  ]) {
    expect(signer.verify("media", forged)).toEqual({ state: "forged" });
  }
  clock.advance({ hours: 1 });
  expect(signer.verify("media", token).state).toBe("expired");
  expect(createSigner([newer, secret], clock).verify("media", token).state).toBe("expired");
});

test("a session is asked for once in three seconds, and at once after an event about it", async () => {
  const clock = createMovedClock();
  let asked = 0;
  const sessions = createSessions(async () => {
    asked += 1;
    return undefined;
  }, clock);
  const load = (userId = 1) => sessions.load({ userId, companyId: 2, sessionId: `s${userId}` });

  await Promise.all([load(), load(), load()]);
  expect(asked).toBe(1);
  sessions.forgetUser(1);
  await load();
  expect(asked).toBe(2);
  sessions.forgetUser(99);
  sessions.forgetSession("s99");
  await load();
  expect(asked).toBe(2);
  sessions.forgetCompany(2);
  await load();
  expect(asked).toBe(3);
  clock.advance({ seconds: 3 });
  await load();
  expect(asked).toBe(4);
});

test("a session that could not be loaded is loaded again, not treated as ended", async () => {
  let isDown = true;
  const sessions = createSessions(async () => {
    if (isDown) {
      throw new Error("away");
    }
    return undefined;
  }, systemClock);
  await expect(sessions.load(claims)).rejects.toThrow("away");
  isDown = false;
  expect(await sessions.load(claims)).toBeUndefined();
});
