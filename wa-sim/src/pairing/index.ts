export { finishPairingCode, linkByCode, offerPairingCode } from "./link-by-code.ts";
export { linkByQr } from "./link-by-qr.ts";
export { dropRegistration, register } from "./registrations.ts";
