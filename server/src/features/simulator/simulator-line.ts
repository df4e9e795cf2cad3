import { WaSimClient } from "@prosa/wa-sim/client";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { loadConnection } from "#server/features/connections/index.ts";
import type { ConnectionRow } from "#server/features/connections/index.ts";
import { readSimulatorAddress } from "#server/whatsapp/simulator/index.ts";
import { ownerNumber } from "./phone-numbers.ts";

/** A simulator connection and the client of its simulated network. */
export interface SimLine {
  readonly companyId: number;
  readonly connection: ConnectionRow;
  /** The number of the owner's phone. */
  readonly number: string;
  readonly client: WaSimClient;
}

/** Connects to the simulator process. Throws ERR_UNAVAILABLE if none runs in this data folder. */
export async function openNetwork(dataDir: string): Promise<WaSimClient> {
  const address = await readSimulatorAddress(dataDir);
  if (!address) {
    throw new AppError("ERR_UNAVAILABLE");
  }
  return new WaSimClient(address.controlUrl, address.token);
}

/** Throws ERR_NO_WAPP_FOUND, also for another company's connection, and ERR_WAPP_NOT_SIMULATOR for another provider. */
export async function loadSimulatorConnection(ctx: Ctx, connectionId: number): Promise<ConnectionRow> {
  const connection = await loadConnection(ctx, connectionId);
  if (connection.provider !== "simulator") {
    throw new AppError("ERR_WAPP_NOT_SIMULATOR");
  }
  return connection;
}

/** Opens the line on its network; creates the owner's phone if it is not there yet. */
export async function openSimulatorLine(
  dataDir: string,
  companyId: number,
  connection: ConnectionRow,
): Promise<SimLine> {
  const client = await openNetwork(dataDir);
  const number = ownerNumber(connection.id);
  await callNetwork(() => client.call("phone", { number, name: connection.name }));
  return { companyId, connection, number, client };
}

/** Calls the network. Its errors become ERR_UNAVAILABLE: the caller's input was validated before. */
export async function callNetwork<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AppError("ERR_UNAVAILABLE", undefined, { cause: error });
  }
}
