import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { WaSimClient } from "../src/control/client.ts";
import { LINE } from "./desk.ts";
import { Line } from "./line.ts";
import { readFileSync } from "node:fs";

const TOKEN = "only for this test";
const MAIN = new URL("../src/main.ts", import.meta.url).pathname;

interface Running {
  process: ChildProcess;
  client: WaSimClient;
  controlUrl: string;
}

async function aServerProcess(stateFile: string): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, "--state", stateFile], {
    env: { ...process.env, WA_SIM_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { controlUrl } = JSON.parse(line) as { controlUrl: string };
  return { process: child, client: new WaSimClient(controlUrl, TOKEN), controlUrl };
}

async function aClientOf({ client }: Running): Promise<Line> {
  const { wsUrl, caFile, rootPublicKey } = await client.addresses();
  const line = new Line({
    wsUrl,
    caPem: readFileSync(caFile, "utf8"),
    rootPublicKey: Buffer.from(rootPublicKey, "base64"),
  });
  onTestFinished(() => {
    line.close();
  });
  return line.connect();
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wa-sim-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

test("another process drives the server; kill -9 of it loses nothing", async () => {
  const stateFile = join(aFolder(), "state");
  const first = await aServerProcess(stateFile);
  await expect(new WaSimClient(first.controlUrl, "wrong").stats()).rejects.toThrow("wrong token");
  const phone = await first.client.phone(LINE, { name: "Loja" });
  const line = await aClientOf(first);
  expect(await phone.scan(await line.qr())).toEqual({ device: 1 });
  await line.waitUntilOpen();

  const stopListening = new AbortController();
  const heard = first.client.messages({ signal: stopListening.signal }).next();
  const ana = await first.client.person("5511988887777", { name: "Ana" });
  await ana.sends(LINE, { image: Buffer.from("bytes"), caption: "veja" });
  const picture = await line.receives(({ message }) => Boolean(message?.imageMessage));
  expect(await line.download(picture)).toEqual(Buffer.from("bytes"));
  const chat = picture.key.remoteJid ?? "";
  const id = await line.sends(chat, { text: "linda" });
  expect(await ana.receives({ text: "linda" })).toMatchObject({ id, from: LINE });
  expect((await heard).value).toMatchObject({ id, text: "linda", person: ana.number, event: 1 });
  stopListening.abort();

  line.reconnects = false;
  await phone.settled();
  await phone.kick("drop");
  await line.waitForDisconnect(2);
  await ana.sends(LINE, "ninguém em casa");
  first.process.kill("SIGKILL");
  await once(first.process, "exit");

  const second = await aServerProcess(stateFile);
  const again = await second.client.person(ana.number);
  expect((await again.chat(LINE)).map(({ text }) => text)).toEqual(["veja", "linda", "ninguém em casa"]);
  line.connect();
  await line.receivesText("ninguém em casa");
  expect(await line.download(picture)).toEqual(Buffer.from("bytes"));
  await line.sends(chat, { text: "voltamos" });
  await again.receives({ text: "voltamos" });
  expect(await second.client.stats()).toMatchObject({ unknownStanzas: 0, retriesByLines: 0, retriesByPersons: 0 });
});

test("killed in the middle of everything, again and again: every message arrives, in both directions", async () => {
  const stateFile = join(aFolder(), "state");
  let server = await aServerProcess(stateFile);
  const phone = await server.client.phone(LINE);
  const line = await aClientOf(server);
  await phone.scan(await line.qr());
  await line.waitUntilOpen();
  const persons = Array.from({ length: 6 }, (_, index) => `551198888000${index + 1}`);
  const said: string[] = [];
  const acked: { number: string; id: string }[] = [];

  for (let round = 0; round < 4; round++) {
    const work = persons.map(async (number, index) => {
      const person = await server.client.person(number);
      for (let turn = 0; turn < 15; turn++) {
        const text = `de ${number}: ${round}/${turn}`;
        await person.sends(LINE, text);
        said.push(text);
        if (index % 2 === 0 && line.isOpen) {
          const id = await line.sends(
            `${number}@s.whatsapp.net`,
            { text: `para ${number}: ${round}/${turn}` },
            { ackTimeoutMs: 500 },
          );
          acked.push({ number, id });
        }
      }
    });
    const kill = once(setTimeoutEmitter(150 + round * 60), "now").then(() => server.process.kill("SIGKILL"));
    await Promise.all([kill, ...work.map((one) => one.catch(() => undefined))]);
    server = await aServerProcess(stateFile);
    if (line.disconnects.at(-1)) {
      await line.waitUntilOpen();
    }
  }

  await line.waitUntil("everything said", () => {
    const heard = new Set([...line.decrypted].map(({ message }) => message?.conversation));
    return said.every((text) => heard.has(text));
  });
  expect(said.length).toBeGreaterThan(20);
  for (const { number, id } of acked) {
    expect(await (await server.client.person(number)).message(id), id).not.toBeNull();
  }
});

function setTimeoutEmitter(ms: number): EventTarget {
  const target = new EventTarget();
  setTimeout(() => target.dispatchEvent(new Event("now")), ms);
  return target;
}
