import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";
import { downloadPlain } from "./download.ts";

const FACE = Buffer.from("the bytes of a picture");
let made: SimLine;
let folder: string;
let path: string;

beforeAll(async () => {
  made = await aConnectedLine();
  folder = await mkdtemp(join(tmpdir(), "prosa-picture-"));
  path = join(folder, "file");
});
afterAll(async () => {
  await made.end();
  await rm(folder, { recursive: true });
});

const pictureEvents = () => made.host.events.filter(({ type }) => type === "picture");

test("the picture of a person is fetched by number and by LID, and one that is not there is none (T-04)", async () => {
  const ana = made.sim.person("5511988880001", { name: "Ana" });
  expect(await made.line.profilePicture({ kind: "lid", value: ana.lid }, path)).toBe("none");
  ana.setPicture(FACE);
  for (const of of [
    { kind: "lid", value: ana.lid },
    { kind: "phone", value: ana.number },
  ] as const) {
    expect(await made.line.profilePicture(of, path)).toBe("fetched");
    expect(await readFile(path)).toEqual(FACE);
    await rm(path);
  }
});

test("a picture that is hidden from the line is none (T-04)", async () => {
  const rui = made.sim.person("5511988880002", { name: "Rui" });
  rui.setPicture(FACE);
  rui.isPictureHidden = true;
  expect(await made.line.profilePicture({ kind: "lid", value: rui.lid }, path)).toBe("none");
});

test("a query without an answer times out, and can be repeated", async () => {
  const eva = made.sim.person("5511988880003", { name: "Eva" });
  made.sim.faults.muteIq.add("w:profile:picture");
  await expect(made.line.profilePicture({ kind: "lid", value: eva.lid }, path)).rejects.toThrow();
  made.sim.faults.clear();
  expect(await made.line.profilePicture({ kind: "lid", value: eva.lid }, path)).toBe("none");
});

test("notifications about pictures of people and groups are journaled as events (C-01)", async () => {
  const ivo = made.sim.person("5511988880004", { name: "Ivo" });
  const group = made.sim.group({ subject: "Obra", members: [ivo], line: OWNER });
  await ivo.sends(OWNER, "oi");
  ivo.setPicture(FACE);
  group.setPicture(FACE);
  ivo.setPicture(null);
  await made.sim.settled(OWNER);
  await made.host.waitUntil(() => pictureEvents().length === 3);
  const chat = { kind: "lid", value: ivo.lid };
  expect(pictureEvents()).toEqual([
    { type: "picture", chat, isGone: false },
    { type: "picture", chat: { kind: "group", value: group.record.id }, isGone: false },
    { type: "picture", chat, isGone: true },
  ]);
  expect(await made.line.profilePicture({ kind: "group", value: group.record.id }, path)).toBe("fetched");
  expect(made.sim.unknownStanzas).toEqual([]);
});

test("a picture is fetched from WhatsApp's hosts only, and not in any size", async () => {
  await expect(downloadPlain(path, "https://127.0.0.1/p/x", {}, 10)).rejects.toThrow(/not fetched from/);
  await expect(downloadPlain(path, "http://pps.whatsapp.net/x", {}, 10)).rejects.toThrow(/not fetched from/);
});
