export { CHECK_TASK, checkCharge, checkCron } from "./check-charge.ts";
export { orderPix } from "./checkout.ts";
export { markPaid, takeBackMark } from "./mark-paid.ts";
export { renewalOf, spendCredit } from "./settle.ts";
export { hearAsaas, hearEfi } from "./webhooks.ts";
