export { DeadJobsTab } from "./DeadJobsTab.tsx";
