export { issueCron, issueNow } from "./issue.ts";
export { findNextOrder } from "./next-order.ts";
