export { PhoneScreen, SimulatorPhone } from "./SimulatorPhone.tsx";
export { simulatorMessages } from "./simulator.i18n.ts";
