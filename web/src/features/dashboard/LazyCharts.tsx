/** The charts and their library, loaded when a dashboard has data. */
import { lazy } from "react";

const load = () => import("./Charts.tsx");

export const TimeChart = lazy(async () => ({ default: (await load()).TimeChart }));
export const PeopleChart = lazy(async () => ({ default: (await load()).PeopleChart }));
