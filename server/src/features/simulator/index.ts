export { findChatHistory, findGroupHistory, restoreChats, restoreGroups } from "./history/index.ts";
export { createPerson } from "./people/index.ts";
export { linkPhone } from "./phone/index.ts";
export { openSimulatorLine } from "./simulator-line.ts";
