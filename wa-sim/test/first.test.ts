import { expect, test } from "vitest";
import { WaSim } from "../src/index.ts";
import { Line } from "./line.ts";

test("from QR to open, and a text each way with its receipts", async () => {
  const t0 = performance.now();
  const sim = await WaSim.start();
  const phone = sim.phone("5511999990001", { name: "Loja Aurora" });
  const line = new Line(sim).connect();
  const t1 = performance.now();
  await phone.scan(await line.qr());
  await line.opens();
  process.stderr.write(`start ${t1 - t0} open after ${performance.now() - t1}\n`);
  const ana = sim.person("5511988887777", { name: "Ana" });
  const hello = await ana.says(phone.number, "oi");
  const heard = await line.hearsText("oi");
  process.stderr.write(JSON.stringify(heard.key) + "\n");
  await hello.delivered;
  const id = await line.sends(heard.key.remoteJid!, { text: "olá!" });
  const got = await ana.receives((m) => m.text === "olá!");
  expect(got.id).toBe(id);
  await line.reaches(id, 3);
  await ana.reads(phone.number);
  await line.reaches(id, 4);
  process.stderr.write(`done ${performance.now() - t1}\n`);
  expect(sim.unknownStanzas).toEqual([]);
  line.close();
  await sim.stop();
});
