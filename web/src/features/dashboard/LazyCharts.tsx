/** The charts with their library, fetched when a dashboard has something to draw. */
import { lazy } from "react";

const load = () => import("./Charts.tsx");

export const TimeChart = lazy(async () => ({ default: (await load()).TimeChart }));
export const PeopleChart = lazy(async () => ({ default: (await load()).PeopleChart }));
