export { admit, admitAll } from "./admit.ts";
export type { Admission, AdmissionRequest } from "./admit.ts";
export type { Purpose } from "./decide.ts";
export { gapMs } from "./gap.ts";
