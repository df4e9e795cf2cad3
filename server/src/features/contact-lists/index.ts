export { enqueueNumberCheck, resumeNumberCheck } from "./check/index.ts";
export { createContactList } from "./contact-lists.service.ts";
export { importProgressOf } from "./import/index.ts";
export { createItem } from "./items.service.ts";
