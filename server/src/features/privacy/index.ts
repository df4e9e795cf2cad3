export { mustNotBeErased } from "./follow-person.ts";
export { moveErasure } from "./privacy.queries.ts";
export { reapplyErasures } from "./reapply-erasures.queries.ts";
export { findErasedNumbers, withoutErasedPeople } from "./erased-people.ts";
