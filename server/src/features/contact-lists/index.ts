export { enqueueNumberCheck, resumeNumberCheck } from "./check/index.ts";
export { createContactList } from "./contact-lists.service.ts";
export { createItem } from "./items.service.ts";
