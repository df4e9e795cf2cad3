import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";
import { readRange } from "./range.ts";
import { sniffType } from "../requests/upload-types.ts";

const clock = createMovedClock("2026-03-10T10:00:00Z");
const ana = { userId: 1, companyId: 1, sessionId: "ana" };
const eve = { userId: 2, companyId: 2, sessionId: "eve" };
const sessions = new Map([
  ["ana", exampleSession(ana)],
  ["eve", exampleSession(eve)],
]);
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ features: [exampleFeature(sessions)], clock, env: { UPLOAD_MAX_MB: "1" } });
  await app.database.db.systemTx((tx) =>
    sql`insert into companies (id, name) overriding system value values (1, 'ours')`.execute(tx.db),
  );
});
afterAll(() => app.close());

function form(...files: readonly (readonly [name: string, bytes: Buffer | string, type?: string])[]): FormData {
  const data = new FormData();
  data.set("title", "a title");
  for (const [name, bytes, type = "application/octet-stream"] of files) {
    data.append("medias", new File([bytes], name, { type }));
  }
  return data;
}

async function temporaryFiles(): Promise<string[]> {
  return (await readdir(app.services.config.dataDir)).filter((name) => name.startsWith("upload-"));
}

test("files come in with the type of their bytes, and are gone after the answer", async () => {
  const answer = await app
    .as(ana)
    .post("/notes/files", form(["../../photo.png", png, "text/plain"], ["list.csv", "a;b"]));
  expect(answer.body).toEqual([
    { name: "photo.png", contentType: "image/png", size: png.length },
    { name: "list.csv", contentType: "text/csv", size: 3 },
  ]);
  expect(await temporaryFiles()).toEqual([]);
});

test.each([
  [
    "a program by its bytes",
    form(["photo.png", Buffer.from("4d5a90000300000004000000ffff0000b8000000", "hex")]),
    415,
    "ERR_FILE_TYPE",
  ],
  ["a program by its name", form(["invoice.pdf.exe", "text"]), 415, "ERR_FILE_TYPE"],
  ["HTML under another name", form(["notes.txt", "  <!DOCTYPE html><script>alert(1)</script>"]), 415, "ERR_FILE_TYPE"],
  ["an SVG", form(["logo.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"]), 415, "ERR_FILE_TYPE"],
  [
    "an SVG under another name",
    form(["logo.bin", "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>"]),
    415,
    "ERR_FILE_TYPE",
  ],
  ["a shell script", form(["run", "#!/bin/sh\nrm -rf /"]), 415, "ERR_FILE_TYPE"],
  ["a file over the limit", form(["big.bin", Buffer.alloc(1_048_577)]), 413, "ERR_FILE_TOO_LARGE"],
  ["too many files", form(["1.txt", "1"], ["2.txt", "2"], ["3.txt", "3"]), 413, "ERR_BODY_TOO_LARGE"],
  ["no file", form(), 400, "ERR_VALIDATION"],
])("%s is refused and leaves nothing behind", async (_what, body, status, error) => {
  expect(await app.as(ana).post("/notes/files", body)).toMatchObject({ status, body: { error } });
  expect(await temporaryFiles()).toEqual([]);
});

test("a stranger's upload is refused before it is read", async () => {
  expect(await app.as(undefined).post("/notes/files", form(["photo.png", png]))).toMatchObject({ status: 401 });
});

test("so many uploads at once are taken from one person by all processes, then one each half second; others are not held up (E-03)", async () => {
  const other = await createTestApp({
    features: [exampleFeature(sessions)],
    sameDatabaseAs: app,
    closeAfterTest: true,
  });
  let turn = 0;
  const upload = (who: typeof ana) =>
    [app, other][(turn += 1) % 2]!.as(who).post("/notes/files", form(["photo.png", png]));
  const paul = { userId: 3, companyId: 1, sessionId: "paul" };
  sessions.set("paul", exampleSession(paul));
  for (let taken = 0; taken < 120; taken += 1) {
    expect((await upload(paul)).status).toBe(200);
  }
  const refused = await upload(paul);
  expect(refused).toMatchObject({ status: 429, body: { error: "ERR_TOO_MANY_REQUESTS" } });
  expect(Number(refused.headers["retry-after"])).toBe(1);
  expect(await temporaryFiles()).toEqual([]);
  expect((await upload(eve)).status).toBe(200);

  clock.advance({ seconds: 1 });
  expect((await upload(paul)).status).toBe(200);
});

const piece = 'Content-Disposition: form-data; name="medias"';

test.each([
  ["without a boundary", "multipart/form-data", "--XX\r\nx"],
  ["with no part in it", "multipart/form-data; boundary=XX", "no part"],
  ["with a boundary of 300 signs", `multipart/form-data; boundary=${"X".repeat(300)}`, `--${"X".repeat(300)}\r\nx`],
  ["with an empty boundary", "multipart/form-data; boundary=", "--\r\nx"],
  [
    "with JSON that cannot be made text",
    "multipart/form-data; boundary=XX",
    `--XX\r\nContent-Disposition: form-data; name="title"\r\nContent-Type: application/json\r\n\r\n{"toString":1}\r\n--XX--\r\n`,
  ],
  ["cut off in a file", "multipart/form-data; boundary=XX", `--XX\r\n${piece}; filename="a.txt"\r\n\r\nhalf`],
])("an upload %s is the sender's mistake (E-03)", async (_what, type, text) => {
  const answer = await app.as(ana).post("/notes/files", Buffer.from(text), { "content-type": type });
  expect(answer).toMatchObject({ status: 400, body: { error: "ERR_VALIDATION" } });
  expect(await temporaryFiles()).toEqual([]);
});

test("a text that is longer than a field may be is refused, not shortened (E-03)", async () => {
  const body = form(["photo.png", png]);
  body.set("title", "t".repeat(300_000));
  expect(await app.as(ana).post("/notes/files", body)).toMatchObject({
    status: 413,
    body: { error: "ERR_BODY_TOO_LARGE" },
  });
  expect(await temporaryFiles()).toEqual([]);
});

test("a file that comes without a name is called file (M-06)", async () => {
  const title = '--XX\r\nContent-Disposition: form-data; name="title"\r\n\r\na title\r\n';
  const text = `${title}--XX\r\n${piece}\r\nContent-Type: application/octet-stream\r\n\r\nhello\r\n--XX--\r\n`;
  const answer = await app
    .as(ana)
    .post("/notes/files", Buffer.from(text), { "content-type": "multipart/form-data; boundary=XX" });
  expect(answer.body).toMatchObject([{ name: "file", size: 5 }]);
});

test.each([
  ["n".repeat(3000), "n".repeat(251)],
  ["漢".repeat(250), "漢".repeat(83)],
  ["😀".repeat(250), "😀".repeat(62)],
])("a name that is too long for a disk keeps its beginning and its ending (M-06)", async (long, short) => {
  const answer = await app.as(ana).post("/notes/files", form([`${long}.txt`, "text"]));
  expect(answer.body).toMatchObject([{ name: `${short}.txt`, contentType: "text/plain" }]);
});

test("the type comes from the bytes where they are known, not from the file name", async () => {
  const file = join(app.services.config.dataDir, "sniff");
  await writeFile(file, png);
  expect(await sniffType(file, "voice.mp3")).toBe("image/png");
});

test.each([
  ["byte order marks", `${"\uFEFF".repeat(340)}x`],
  ["comments", `<?xml version="1.0"?>${"<!---->".repeat(140)}<x`],
  ["comments that do not end", "<!--".repeat(255)],
])("a file of nothing but %s is looked at as fast as any other (M-06)", async (_what, text) => {
  const file = join(app.services.config.dataDir, "slow");
  await writeFile(file, text);
  expect(await sniffType(file, "slow.txt")).toMatch(/^(text\/plain|application\/xml)$/);
});

test.each([
  ["a byte order mark", "\uFEFF<html>"],
  ["comments", "<!-- a --><!-- b --> <!DOCTYPE html>"],
  ["a declaration and comments", "<?xml version='1.0'?>\n<!-- a -->\n<!-- b -->\n<svg/>"],
])("what a browser could run is refused behind %s too (M-06)", async (_what, text) => {
  const file = join(app.services.config.dataDir, "hidden");
  await writeFile(file, text);
  await expect(sniffType(file, "hidden.txt")).rejects.toMatchObject({ code: "ERR_FILE_TYPE" });
});

test.each([
  [undefined, "whole"],
  ["bytes=0-3", { start: 0, end: 3 }],
  ["bytes=6-", { start: 6, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=-99", { start: 0, end: 9 }],
  ["bytes=4-99", { start: 4, end: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=5-4", "unsatisfiable"],
  ["bytes=0-1,3-4", "whole"],
  ["lines=0-1", "whole"],
  ["bytes=-", "whole"],
])("range %s of ten bytes", (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected);
});

const key = storageKey(1, "media", "voice.ogg");
const voice = { companyId: 1, key, contentType: "audio/ogg", name: 'Olá "voz".ogg' };

async function storedVoice(): Promise<string> {
  await app.services.storage.put(key, Buffer.from("0123456789"), { contentType: "audio/ogg" });
  return app.services.media.link(voice);
}

test("a media address shows the file whole and in ranges (M-04)", async () => {
  const link = await storedVoice();
  const whole = await app.as(undefined).get(link);
  expect([whole.status, whole.text]).toEqual([200, "0123456789"]);
  expect(whole.headers).toMatchObject({
    "content-type": "audio/ogg",
    "content-length": "10",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "cache-control": "private, max-age=86400, immutable",
    "content-disposition": "inline; filename=\"Ol_ _voz_.ogg\"; filename*=UTF-8''Ol%C3%A1%20%22voz%22.ogg",
  });

  const part = await app.as(undefined).get(link, { range: "bytes=2-4" });
  expect([part.status, part.text, part.headers["content-range"]]).toEqual([206, "234", "bytes 2-4/10"]);
  const beyond = await app.as(undefined).get(link, { range: "bytes=10-" });
  expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, "bytes */10"]);
});

test("a customer's file opens whatever name and type their phone gave it (M-04)", async () => {
  await storedVoice();
  const link = app.services.media.link({
    ...voice,
    contentType: "audio/x,\r\ntext/html",
    name: `${"漢".repeat(900)}.ogg`,
  });
  const answer = await app.as(undefined).get(link);
  expect([answer.status, answer.text, answer.headers["content-type"]]).toEqual([
    200,
    "0123456789",
    "application/octet-stream",
  ]);
});

test("what a browser could run is saved, not shown", async () => {
  const page = app.services.media.link({ ...voice, contentType: "text/html" });
  await storedVoice();
  expect((await app.as(undefined).get(page)).headers).toMatchObject({
    "content-disposition": expect.stringMatching(/^attachment/),
    "content-security-policy": expect.stringContaining("sandbox"),
  });
});

test("a media address stays the same for a day, and dies within two; a signed-in colleague still gets the file", async () => {
  clock.set("2026-03-10T10:00:00Z");
  const link = await storedVoice();
  clock.set("2026-03-10T23:59:00Z");
  expect(app.services.media.link(voice)).toBe(link);
  clock.set("2026-03-11T00:01:00Z");
  expect(app.services.media.link(voice)).not.toBe(link);
  expect((await app.as(undefined).get(link)).status).toBe(200);

  clock.set("2026-03-12T00:01:00Z");
  expect((await app.as(undefined).get(link)).status).toBe(401);
  expect((await app.as(ana).get(link)).status).toBe(200);
  expect((await app.as(eve).get(link)).status).toBe(404);
});

test("a changed address and a missing file are 404", async () => {
  const link = await storedVoice();
  expect((await app.as(ana).get(`${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`)).status).toBe(404);
  await app.services.storage.delete(key);
  expect((await app.as(undefined).get(app.services.media.link(voice))).status).toBe(404);
});

test("a media address dies with its company, and when it is switched off", async () => {
  const link = await storedVoice();
  const change = (set: string) =>
    app.database.db.systemTx((tx) => sql.raw(`update companies set ${set} where id = 1`).execute(tx.db));
  const look = async () => (await app.as(undefined).get(link)).status;
  expect(await look()).toBe(200);
  await change("is_active = false");
  expect(await look()).toBe(404);
  await change("is_active = true, deleted_at = now()");
  expect(await look()).toBe(404);
  await change("deleted_at = null");
  expect(await look()).toBe(200);
});

test("a link to another company's file cannot be made", () => {
  expect(() => app.services.media.link({ ...voice, companyId: 2 })).toThrow(/does not belong/);
});
