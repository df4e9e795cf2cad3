import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { passkeys } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestResponse } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

/** Sign-ins by passkey that somebody forges or repeats (V-03). The device is this file: it signs whatever it is told to. */

let app: TestApp;
let company: TestCompany;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: "on", PUBLIC_URL: "https://prosa.example.com" } });
  company = await aCompany(app);
});
afterAll(() => app.close());

const errorOf = ({ status, body }: TestResponse) => [status, (body as { error?: string }).error];
const refused = [400, "ERR_PASSKEY"];
const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();

interface Device {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** A passkey of a person, as a registration would have saved it: its public key as COSE_Key of ES256. */
async function aPasskey(userId: number, counter = 0): Promise<Device> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  const cose = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x!, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y!, "base64url"),
  ]);
  const id = randomBytes(16).toString("base64url");
  await sql`insert into passkeys (company_id, user_id, credential_id, public_key, counter, name, created_at)
    values (${company.id}, ${userId}, ${id}, ${cose}, ${counter}, 'Celular', now())`.execute(app.db.system);
  return { id, privateKey };
}

async function aChallenge(): Promise<string> {
  const { body } = await app.as(undefined).call(passkeys.signInOptions);
  return body.options["challenge"] as string;
}

interface Lie {
  readonly challenge?: string;
  readonly origin?: string;
  readonly host?: string;
  readonly counter?: number;
  readonly type?: string;
  /** Flags of the device: 1 present, 4 verified. */
  readonly flags?: number;
  readonly signer?: Device;
  readonly userHandle?: string;
}

/** What a device answers, with what is wrong about it. */
async function answer(device: Device, lie: Lie = {}) {
  const { origin = "https://prosa.example.com", host = "prosa.example.com", counter = 1, flags = 5 } = lie;
  const challenge = lie.challenge ?? (await aChallenge());
  const client = Buffer.from(
    JSON.stringify({ type: lie.type ?? "webauthn.get", challenge, origin, crossOrigin: false }),
  );
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const data = Buffer.concat([sha256(host), Buffer.from([flags]), count]);
  const signature = sign("sha256", Buffer.concat([data, sha256(client)]), (lie.signer ?? device).privateKey);
  return {
    id: device.id,
    rawId: device.id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: signature.toString("base64url"),
      ...(lie.userHandle !== undefined && { userHandle: lie.userHandle }),
    },
  };
}

const signIn = (response: object) => app.as(undefined).post<{ token: string }>(passkeys.signIn.path, { response });

test("a passkey signs in its person once for each challenge, and no forged or repeated answer does (V-03)", async () => {
  const [ana, eva] = [await aUser(company), await aUser(company)];
  const [hers, evas] = [await aPasskey(ana.userId), await aPasskey(eva.userId)];
  const good = await answer(hers, { counter: 7 });
  const { status, body } = await signIn(good);
  expect(status).toBe(200);
  expect(await app.services.tokens.verify(body.token)).toMatchObject({ userId: ana.userId, companyId: company.id });

  // the same answer again; the same challenge with a new signature
  expect(errorOf(await signIn(good))).toEqual(refused);
  const challenge = await aChallenge();
  expect((await signIn(await answer(hers, { counter: 8, challenge }))).status).toBe(200);
  expect(errorOf(await signIn(await answer(hers, { counter: 9, challenge })))).toEqual(refused);

  const lies: Readonly<Record<string, Lie>> = {
    "another site": { origin: "https://prosa.example.com.evil.example" },
    "another host": { host: "evil.example" },
    "plain http": { origin: "http://prosa.example.com" },
    "a challenge of nobody": { challenge: randomBytes(32).toString("base64url") },
    "a registration": { type: "webauthn.create" },
    "a counter that stands still": { counter: 8 },
    "a counter that goes back": { counter: 3 },
    "a counter that begins anew": { counter: 0 },
    "nobody verified": { flags: 1 },
    "another's key": { signer: evas },
  };
  for (const [name, lie] of Object.entries(lies)) {
    expect([name, ...errorOf(await signIn(await answer(hers, { counter: 20, ...lie })))]).toEqual([name, ...refused]);
  }
  // who names another as the user is signed in as the owner of the key, never as the other
  const claimed = await answer(evas, { userHandle: Buffer.from(`user ${ana.userId}`).toString("base64url") });
  const asEva = await signIn(claimed);
  expect(asEva.status === 200 && (await app.services.tokens.verify(asEva.body.token))?.userId === ana.userId).toBe(
    false,
  );
  // two answers of one counter at the same moment: one device, or a copy of it
  const twins = await Promise.all([answer(hers, { counter: 30 }), answer(hers, { counter: 30 })]);
  const results = await Promise.all(twins.map(signIn));
  expect(results.map((one) => one.status).toSorted((one, other) => one - other)).toEqual([200, 400]);
  expect((await signIn(await answer(hers, { counter: 31 }))).status).toBe(200);
});

test("a passkey is removed by the password only, and by nobody else (V-03)", async () => {
  const [ana, eva] = [await aUser(company), await aUser(company)];
  await aPasskey(ana.userId);
  const { id } = (await app.as(ana).call(passkeys.list)).body[0]!;
  const remove = (who: typeof ana, body?: object) => app.as(who).delete(`/auth/passkeys/${id}`, body);
  expect((await remove(ana)).status).toBe(400);
  expect(errorOf(await remove(ana, { password: "errada" }))).toEqual([400, "ERR_WRONG_PASSWORD"]);
  expect(errorOf(await remove(eva, { password: "prosa123" }))).toEqual([404, "ERR_NOT_FOUND"]);
  expect((await app.as(ana).call(passkeys.list)).body).toHaveLength(1);
  expect((await remove(ana, { password: "prosa123" })).status).toBe(200);
  expect((await app.as(ana).call(passkeys.list)).body).toEqual([]);
});
