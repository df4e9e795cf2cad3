export { enqueueNumberCheck, resumeNumberCheck } from "./check/index.ts";
export { createContactList } from "./contact-lists.service.ts";
export { isBeingImported } from "./import/index.ts";
export { createItem } from "./items.service.ts";
