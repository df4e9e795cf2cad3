export { createSimulatorNetwork, readSimulatorAddress } from "./network.ts";
export type { SimulatorAddress, SimulatorNetwork } from "./network.ts";
