export { issueNow } from "./issue/index.ts";
export { markPaid } from "./pay/index.ts";
export { asaasToken } from "./settings/index.ts";
