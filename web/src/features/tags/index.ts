export { tagsOptions } from "./tags.api.ts";
export { TicketTags } from "./TicketTags.tsx";
