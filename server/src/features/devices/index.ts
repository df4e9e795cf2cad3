export { ringDevices } from "./devices.service.ts";
