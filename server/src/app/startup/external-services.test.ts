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
import { requireSharedStorage, findConflictingProcess } from "./shared-storage.ts";
import { checkExternalService } from "./external-services.ts";

const keys = { S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "s", S3_PATH_STYLE: "on" };

/** Records log lines as `level: message`. */
function recordingLog() {
  const lines: string[] = [];
  const record = (level: string) => (_fields: unknown, message: string) => void lines.push(`${level}: ${message}`);
  return { lines, log: { info: record("info"), warn: record("warn"), error: record("error") } as unknown as Logger };
}

async function serverThatAnswers(status: number, code: string): Promise<string> {
  const server = createServer((_request, response) => {
    // S3 may answer 200 with an error in the body.
    response.writeHead(status).end(code && `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function checkBucket(endpoint: string) {
  const { s3 } = readConfig({ S3_BUCKET: "files", S3_ENDPOINT: endpoint, ...keys });
  const storage = await openStorage(s3, "");
  const { lines, log } = recordingLog();
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await storage.close();
  });
  const service = { name: "bucket", consequence: "files are not kept", check: () => storage.check() };
  await checkExternalService(service, log, ended.signal);
  return lines;
}

test.each([
  [404, "NoSuchBucket"],
  [403, "InvalidAccessKeyId"],
  [403, "SignatureDoesNotMatch"],
])("a bucket that answers %i %s ends the start with a readable error", async (status, code) => {
  const checked = checkBucket(await serverThatAnswers(status, code));
  await expect(checked).rejects.toThrow(ConfigError);
  await expect(checked).rejects.toThrow(`S3_BUCKET: files cannot be used: the server answers ${status} ${code}`);
});

test("an unavailable bucket is logged, and does not keep the product from starting", async () => {
  const unavailable = ["error: the bucket is unavailable; until it answers, files are not kept"];
  expect(await checkBucket(await serverThatAnswers(503, "SlowDown"))).toEqual(unavailable);
  expect(await checkBucket("http://127.0.0.1:1")).toEqual(unavailable);
});

test("a bucket that takes a file logs nothing", async () => {
  expect(await checkBucket(await serverThatAnswers(200, ""))).toEqual([]);
});

test("an unavailable mail server is logged, and does not keep the product from starting", async () => {
  const mail = openMail(readConfig({ SMTP_URL: "smtp://127.0.0.1:1" }));
  const { lines, log } = recordingLog();
  const ended = new AbortController();
  await checkExternalService(
    { name: "mail server", consequence: "mails wait", check: () => mail.check() },
    log,
    ended.signal,
  );
  ended.abort();
  mail.close();
  expect(lines).toEqual(["error: the mail server is unavailable; until it answers, mails wait"]);
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
  await requireSharedStorage(first, roles, "folder one", 0);
  await first.ready();
  const second = await aProcess("folder one");
  await requireSharedStorage(second, roles, "folder one", 0);
  await second.leave();

  const other = await aProcess("bucket two");
  await expect(requireSharedStorage(other, roles, "bucket two", 0)).rejects.toThrow(
    /S3_BUCKET: a process on .* keeps its files in another place \(folder one; here bucket two\)/,
  );
  await requireSharedStorage(other, new Set(["realtime"]), "bucket two", 0);

  await first.stop();
  await other.refresh();
  await requireSharedStorage(other, roles, "bucket two", 0);
});

test("of two that start together one stays; an older release that does not report its place is ignored", () => {
  const other = (name: string, given: Partial<PeerProcess> = {}): PeerProcess => ({
    name,
    host: "h",
    roles: ["http"],
    version: "1.0.0",
    fileStorage: "folder one",
    state: "starting",
    ...given,
  });
  expect(findConflictingProcess([other("a")], "b", "folder two")).toBeDefined();
  expect(findConflictingProcess([other("b")], "a", "folder two")).toBeUndefined();
  expect(findConflictingProcess([other("b", { state: "ready" })], "a", "folder two")).toBeDefined();
  expect(findConflictingProcess([other("a", { fileStorage: null })], "b", "folder two")).toBeUndefined();
  expect(findConflictingProcess([other("a")], "b", "folder one")).toBeUndefined();
});
