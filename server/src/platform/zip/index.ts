export { writeZip } from "./write-zip.ts";
export type { ZipFile } from "./write-zip.ts";
