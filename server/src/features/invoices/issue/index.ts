export { issueCron, issueNow } from "./issue.ts";
