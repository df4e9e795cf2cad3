export { createGroup, listGroups, loadGroup, readGroup, sendInGroup } from "./groups.ts";
export { findPeople, hasScriptedCustomers } from "./people.queries.ts";
export { addToNetwork, createPerson, listPeople, loadPerson } from "./people.ts";
export { simulatedPersonData } from "./erase-people.queries.ts";
