import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError, readConfig } from "#server/platform/config/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import { openMail } from "#server/platform/mail/index.ts";
import type { PeerProcess } from "#server/platform/processes/index.ts";
import { openStorage } from "#server/platform/storage/index.ts";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import { createProcessRegistry } from "#server/platform/processes/index.ts";
import { createPubSub } from "#server/platform/pubsub/index.ts";
import { insistOnOnePlace, otherPlace } from "./one-place-for-files.ts";
import { checkOutside } from "./outside.ts";

const keys = { S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "s", S3_PATH_STYLE: "on" };

/** What the log was told, as `level: words`. */
function listeningLog() {
  const told: string[] = [];
  const tell = (level: string) => (_facts: unknown, words: string) => void told.push(`${level}: ${words}`);
  return { told, log: { info: tell("info"), warn: tell("warn"), error: tell("error") } as unknown as Logger };
}

async function serverThatAnswers(status: number, code: string): Promise<string> {
  const server = createServer((_request, response) => {
    // S3 may say 200 and then that it went wrong.
    response.writeHead(status).end(code && `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function checkBucket(endpoint: string) {
  const { s3 } = readConfig({ S3_BUCKET: "files", S3_ENDPOINT: endpoint, ...keys });
  const storage = await openStorage(s3, "");
  const { told, log } = listeningLog();
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await storage.close();
  });
  const outside = { name: "bucket", without: "files are not kept", check: () => storage.check() };
  await checkOutside(outside, log, ended.signal);
  return told;
}

test.each([
  [404, "NoSuchBucket"],
  [403, "InvalidAccessKeyId"],
  [403, "SignatureDoesNotMatch"],
])("a bucket that answers %i %s ends the start with a sentence", async (status, code) => {
  const checked = checkBucket(await serverThatAnswers(status, code));
  await expect(checked).rejects.toThrow(ConfigError);
  await expect(checked).rejects.toThrow(`S3_BUCKET: files cannot be used: the server answers ${status} ${code}`);
});

test("a bucket that is away is said, and does not keep the product from starting", async () => {
  const away = ["error: the bucket does not answer; until it does, files are not kept"];
  expect(await checkBucket(await serverThatAnswers(503, "SlowDown"))).toEqual(away);
  expect(await checkBucket("http://127.0.0.1:1")).toEqual(away);
});

test("a bucket that takes a file is not spoken of", async () => {
  expect(await checkBucket(await serverThatAnswers(200, ""))).toEqual([]);
});

test("a mail server that is not there is said, and does not keep the product from starting", async () => {
  const mail = openMail(readConfig({ SMTP_URL: "smtp://127.0.0.1:1" }));
  const { told, log } = listeningLog();
  const ended = new AbortController();
  await checkOutside({ name: "mail server", without: "mails wait", check: () => mail.check() }, log, ended.signal);
  ended.abort();
  mail.close();
  expect(told).toEqual(["error: the mail server does not answer; until it does, mails wait"]);
});

test("a process whose files are elsewhere is refused while another one lives, and starts once that one is gone", async () => {
  const { db } = await createTestDatabase({ closeAfterTest: true });
  const roles = new Set(["http"] as const);
  const aProcess = async (place: string) => {
    const pubsub = createPubSub(db.listenNotify, testLog);
    const registry = createProcessRegistry({ raw: db.systemRaw, pubsub, log: testLog, roles, version: "1.0.0" });
    await registry.start(place);
    onTestFinished(() => registry.stop());
    return registry;
  };
  const first = await aProcess("folder one");
  await insistOnOnePlace(first, roles, "folder one", 0);
  await first.ready();
  const second = await aProcess("folder one");
  await insistOnOnePlace(second, roles, "folder one", 0);
  await second.leave();

  const other = await aProcess("bucket two");
  await expect(insistOnOnePlace(other, roles, "bucket two", 0)).rejects.toThrow(
    /S3_BUCKET: a process on .* keeps its files in another place \(folder one; here bucket two\)/,
  );
  await insistOnOnePlace(other, new Set(["realtime"]), "bucket two", 0);

  await first.stop();
  await other.refresh();
  await insistOnOnePlace(other, roles, "bucket two", 0);
});

test("of two that start together one stays; an older release that does not say is let be", () => {
  const other = (name: string, given: Partial<PeerProcess> = {}): PeerProcess => ({
    name,
    host: "h",
    roles: ["http"],
    version: "1.0.0",
    fileStorage: "folder one",
    state: "starting",
    ...given,
  });
  expect(otherPlace([other("a")], "b", "folder two")).toBeDefined();
  expect(otherPlace([other("b")], "a", "folder two")).toBeUndefined();
  expect(otherPlace([other("b", { state: "ready" })], "a", "folder two")).toBeDefined();
  expect(otherPlace([other("a", { fileStorage: null })], "b", "folder two")).toBeUndefined();
  expect(otherPlace([other("a")], "b", "folder one")).toBeUndefined();
});
