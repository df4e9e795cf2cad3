export { reapplyErasures } from "./reapply-erasures.queries.ts";
export { withoutErasedPeople } from "./erased-people.ts";
