import { sql } from "kysely";
import { waitUntil } from "../wait-until.ts";
import type { RunQuery } from "./verdict.ts";

/** A wa-sim, in this process or another. */
interface Network {
  phone(number: string, about: { name: string }): Scanner | Promise<Scanner>;
}
interface Scanner {
  scan(qr: string): Promise<unknown>;
}

/** Links a connection: the phone with this number scans its QR code. */
export async function linkLine(sim: Network, query: RunQuery, connectionId: number, number: string): Promise<void> {
  const phone = await sim.phone(number, { name: "Loja" });
  const state = async () => {
    const [row] = await query(sql<{ status: string; qrcode: string }>`
      select status, qrcode from connections where id = ${connectionId}`);
    return row;
  };
  await waitUntil(async () => (await state())?.qrcode);
  await phone.scan((await state())?.qrcode ?? "");
  await waitUntil(async () => (await state())?.status === "CONNECTED");
}
