/** The charts and their library, loaded when a dashboard has data. */
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";

const load = () => import("./Charts.tsx");

export const TimeChart = lazyOrNothing(async () => (await load()).TimeChart);
export const PeopleChart = lazyOrNothing(async () => (await load()).PeopleChart);
