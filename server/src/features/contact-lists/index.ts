export { enqueueNumberCheck } from "./check/index.ts";
