export { trackDelivery } from "./track.ts";
