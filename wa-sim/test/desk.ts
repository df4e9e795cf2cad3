import type { UserFacingSocketConfig } from "baileys";
import { onTestFinished } from "vitest";
import { WaSim } from "../src/index.ts";
import type { Person, Phone, WaSimOptions } from "../src/index.ts";
import { Line } from "./line.ts";

export const LINE = "5511999990001";

export interface Desk {
  sim: WaSim;
  phone: Phone;
  line: Line;
  ana: Person;
}

/** A server that stops with the test. */
export async function aServer(options: WaSimOptions = {}): Promise<WaSim> {
  const sim = await WaSim.start(options);
  onTestFinished(() => sim.stop());
  return sim;
}

export function aClient(sim: WaSim, config: Partial<UserFacingSocketConfig> = {}): Line {
  const line = new Line(sim, config).connect();
  onTestFinished(() => {
    line.close();
  });
  return line;
}

/** A linked line that is open, and a customer. */
export async function aDesk(options: WaSimOptions = {}, config: Partial<UserFacingSocketConfig> = {}): Promise<Desk> {
  const sim = await aServer(options);
  const phone = sim.phone(LINE, { name: "Loja Aurora" });
  const line = aClient(sim, config);
  await phone.scan(await line.qr());
  await line.waitUntilOpen();
  return { sim, phone, line, ana: sim.person("5511988887777", { name: "Ana" }) };
}

/** Like aDesk, after Ana and the line have exchanged messages: both have a session. `chat` is Ana's address for the line. */
export async function aDeskInConversation(options: WaSimOptions = {}): Promise<Desk & { chat: string; hello: string }> {
  const desk = await aDesk(options);
  const { id, delivered } = await desk.ana.sends(LINE, "oi");
  const heard = await desk.line.receivesText("oi");
  await delivered;
  const chat = heard.key.remoteJid ?? "";
  await desk.line.sends(chat, { text: "olá" });
  await desk.ana.receives(({ text }) => text === "olá");
  return { ...desk, chat, hello: id };
}
