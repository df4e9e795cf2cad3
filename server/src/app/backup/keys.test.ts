import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acceptKeys, fingerprintOf } from "./keys.ts";

const [own, current, former] = ["o".repeat(32), "c".repeat(32), "f".repeat(32)];

/** DATA_DIR with this secret.key. */
async function folder(key?: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-keys-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  if (key !== undefined) {
    await writeFile(join(dataDir, "secret.key"), key);
  }
  return dataDir;
}

test("a backup that brings its key is restored where there is none, and says what to do where there is another (E-03)", async () => {
  const dataDir = await folder(own);
  const accept = () => acceptKeys({ dataDir, secretKeys: [] }, fingerprintOf(current), [current]);
  expect(accept).toThrow("brings it; move DATA_DIR/secret.key away");
  await rm(join(dataDir, "secret.key"));
  accept();
  expect(await readFile(join(dataDir, "secret.key"), "utf8")).toBe(current);
  accept();
});

test("of a backup amid a change of the key every key must be here (E-03)", async () => {
  const keys = [current, former];
  const accept = (dataDir: string, secretKeys: string[]) => () =>
    acceptKeys({ dataDir, secretKeys }, fingerprintOf(current), keys);
  expect(accept(await folder(current), [])).toThrow(`set it to ${current},${former}`);
  expect(accept(await folder(), [])).toThrow(`set it to ${current},${former}`);
  const refusal = `add to the list (the first key encrypts, all decrypt) ${former}`;
  expect(accept(await folder(own), [current])).toThrow(refusal);
  expect(accept(await folder(own), [own, current])).toThrow(refusal);
  expect(accept(await folder(own), [own, current, former])).not.toThrow();
});

test("the key of a backup that does not bring it is asked for (E-03)", async () => {
  const accept =
    (dataDir: string, secretKeys: string[] = []) =>
    () =>
      acceptKeys({ dataDir, secretKeys }, fingerprintOf(current), undefined);
  expect(accept(await folder(current))).not.toThrow();
  expect(accept(await folder())).toThrow("the backup does not carry it");
  expect(accept(await folder(own))).toThrow("put its secret.key there");
  expect(accept(await folder(current), [own])).toThrow("add that one to the list");
});

test("a backup whose key is lost is restored by a word that the refusal names (E-03)", async () => {
  for (const [dataDir, secretKeys, isReadable] of [
    [await folder(), [], false],
    [await folder(own), [], false],
    [await folder(), [own], false],
    [await folder(current), [], true],
  ] as const) {
    const accept = (mayLackKey: boolean) =>
      acceptKeys({ dataDir, secretKeys }, fingerprintOf(current), undefined, { mayLackKey });
    expect(accept(true)).toBe(isReadable);
    if (!isReadable) {
      expect(() => accept(false)).toThrow("--without-secret-key");
    }
  }
});
