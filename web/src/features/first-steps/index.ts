export { FirstSteps } from "./FirstSteps.tsx";
export { areDone, firstStepsOptions, firstStepsRealtime, useHideFirstSteps } from "./first-steps.api.ts";
export { firstStepsMessages } from "./first-steps.i18n.ts";
