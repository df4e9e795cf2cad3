import { WaSimClient } from "@prosa/wa-sim/client";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { loadConnection } from "#server/features/connections/index.ts";
import type { ConnectionRow } from "#server/features/connections/index.ts";
import { readSimulatorAddress } from "#server/whatsapp/simulator/index.ts";
import { ownerNumber } from "./numbers.ts";

/** A simulator line and the network on which its people live. */
export interface SimLine {
  readonly companyId: number;
  readonly connection: ConnectionRow;
  /** Of the owner's phone. */
  readonly number: string;
  readonly client: WaSimClient;
}

/** Throws ERR_UNAVAILABLE while no network answers in this data folder. */
export async function openNetwork(dataDir: string): Promise<WaSimClient> {
  const address = await readSimulatorAddress(dataDir);
  if (!address) {
    throw new AppError("ERR_UNAVAILABLE");
  }
  return new WaSimClient(address.controlUrl, address.token);
}

/** Throws ERR_NO_WAPP_FOUND, also for another company's, and ERR_WAPP_NOT_SIMULATOR for a line of real people. */
export async function loadSimulatorConnection(ctx: Ctx, connectionId: number): Promise<ConnectionRow> {
  const connection = await loadConnection(ctx, connectionId);
  if (connection.provider !== "simulator") {
    throw new AppError("ERR_WAPP_NOT_SIMULATOR");
  }
  return connection;
}

/** The line on its network; its owner's phone is bought with the first look at it. */
export async function openLine(dataDir: string, companyId: number, connection: ConnectionRow): Promise<SimLine> {
  const client = await openNetwork(dataDir);
  const number = ownerNumber(connection.id);
  await reach(() => client.call("phone", { number, name: connection.name }));
  return { companyId, connection, number, client };
}

/** What the network refuses or does not answer is no fault of the caller, whose input was looked at before. */
export async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AppError("ERR_UNAVAILABLE", undefined, { cause: error });
  }
}
