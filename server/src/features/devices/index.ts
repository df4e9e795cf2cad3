export { notifyDevices } from "./devices.service.ts";
