import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Message } from "@prosa/contract";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import type { TestCaller } from "#server/testing/app.ts";
import { loseCommitAnswer } from "#server/testing/lose-commit-answer.ts";
import { createMessagesFeature } from "../feature.ts";

const oneMB = 1024 * 1024;
let desk: Desk;
let agent: Person;
let ticketId: number;
let photo: Buffer;

beforeAll(async () => {
  photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#38a" } })
    .png()
    .toBuffer();
});

const open = async () => {
  desk = await aDesk([tickets, createMessagesFeature(() => () => undefined)], { env: { UPLOAD_MAX_MB: "1" } });
  agent = await desk.person("user");
  ({ id: ticketId } = await desk.ticket({ status: "open", user: agent }));
};

function sendFile(who: TestCaller, name: string, bytes: Uint8Array | string, body = "") {
  const form = new FormData();
  form.set("body", body);
  form.append("medias", new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]), name);
  return who.post<Message[]>(`/messages/${ticketId}`, form);
}

/** Files of the company in the storage, and temporary files of uploads. */
async function filesLeft(): Promise<string[]> {
  const { config } = desk.app.services;
  const found = await readdir(config.dataDir, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && /company|upload-/.test(join(entry.parentPath, entry.name)))
    .map(({ name }) => name);
}

test("each file is checked by its bytes: too large is 413, a program or a web page is 415, and no file is left (M-06)", async () => {
  await open();
  const cases = [
    ["grande.mp4", new Uint8Array(oneMB + 1), 413, "ERR_FILE_TOO_LARGE"],
    ["fatura.pdf.exe", "anything", 415, "ERR_FILE_TYPE"],
    ["fatura.exe.", "anything", 415, "ERR_FILE_TYPE"],
    ["fatura.exe . \u200b", "anything", 415, "ERR_FILE_TYPE"],
    ["foto.jpg", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(500)]), 415, "ERR_FILE_TYPE"],
    ["foto.jpg", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", 415, "ERR_FILE_TYPE"],
    ["leia.txt", "<html><script>alert(1)</script></html>", 415, "ERR_FILE_TYPE"],
  ] as const;
  for (const [name, bytes, status, error] of cases) {
    const answer = await sendFile(agent, name, bytes);
    expect(answer).toMatchObject({ status, body: { error, details: { name } } });
  }
  expect(await desk.rows("select 1 from messages")).toEqual([]);
  expect(await filesLeft()).toEqual([]);
});

test("a picture with any file name is sent as a picture, with its caption (M-06, M-04)", async () => {
  await open();
  const { body } = await sendFile(agent, "relatorio.pdf", photo, "na praia");
  expect(body).toMatchObject([
    { mediaType: "image", body: "na praia", media: { mimeType: "image/png", width: 40, height: 30 } },
  ]);
});

test("a signed caption of several lines arrives as it was written, whatever a form makes of its line breaks (M-06, M-11)", async () => {
  await open();
  const { body } = await sendFile(agent, "foto.png", photo, "*Paula*\nlinha um\nlinha dois");
  expect(body).toMatchObject([{ body: "*Paula*\nlinha um\nlinha dois" }]);
});

test("strangers, other companies and colleagues without the ticket cannot store files (M-06)", async () => {
  await open();
  const stranger = desk.app.as(undefined);
  const neighbour = await (await desk.otherCompany()).person("admin");
  const colleague = await desk.person("user");
  expect(await sendFile(stranger, "foto.png", photo)).toMatchObject({ status: 401 });
  expect(await sendFile(neighbour, "foto.png", photo)).toMatchObject({ status: 404 });
  expect(await sendFile(colleague, "foto.png", photo)).toMatchObject({ status: 403 });
  expect(await desk.rows("select 1 from messages")).toEqual([]);
  expect(await filesLeft()).toEqual([]);
});

function uploadOnce() {
  const form = new FormData();
  form.set("clientId", "client-photo");
  form.append("medias", new Blob([new Uint8Array(photo)]), "foto.png");
  return agent.post<Message[]>(`/messages/${ticketId}`, form);
}

test("a repeated upload is the same message, with one file (M-05, M-06)", async () => {
  await open();
  const first = await uploadOnce();
  const again = await uploadOnce();
  expect(again.body[0]?.id).toBe(first.body[0]?.id);
  expect(await filesLeft()).toHaveLength(1);
});

test("a message whose commit was not answered keeps its file, and the repeat finds both (M-05, M-06)", async () => {
  await open();
  loseCommitAnswer(desk.app);
  expect((await uploadOnce()).status).toBeGreaterThanOrEqual(500);
  expect((await uploadOnce()).status).toBe(200);
  const stored = await desk.rows<{ key: string }>("select storage_key as key from media");
  expect(stored.map(({ key }) => basename(key))).toEqual(await filesLeft());
});
