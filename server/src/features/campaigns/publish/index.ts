export { publishProgress } from "./publish-progress.ts";
