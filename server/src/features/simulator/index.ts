export { ownerNumber } from "./numbers.ts";
export { findPast, findPastOfGroups } from "./past.queries.ts";
export { recall, recallGroups } from "./recall.ts";
export { openLine } from "./sim-line.ts";
export type { SimLine } from "./sim-line.ts";
export { link } from "./simulator.acts.ts";
export { givePersonNumber, meetPerson } from "./simulator.people.ts";
