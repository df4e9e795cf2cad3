export { AuditTab } from "./AuditTab.tsx";
