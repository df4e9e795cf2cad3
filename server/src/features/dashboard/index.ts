export { foldCompanyDays } from "./kept-days.jobs.ts";
