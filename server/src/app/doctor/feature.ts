import type { Feature } from "#server/platform/feature.ts";
import { doctorRoutes } from "./doctor.routes.ts";

/** The page of the doctor. It looks at what no feature owns: settings, machine, backups. */
export const doctorFeature: Feature = { name: "doctor", routes: doctorRoutes };
