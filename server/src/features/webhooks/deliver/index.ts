export { DELIVER_TASK, deliverWebhook, enqueueDeliveries } from "./deliver.jobs.ts";
export { FAN_OUT_TASK, createFanOutWake, enqueueForgotten, fanOut } from "./fan-out.jobs.ts";
export { bodyOf } from "./payloads.ts";
