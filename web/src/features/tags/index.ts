export { tagListMessages } from "./tag-list.i18n.ts";
export { TagDialog } from "./TagDialog.tsx";
export { tagsOptions, tagsResource } from "./tags.api.ts";
export { TagPicker } from "./TagPicker.tsx";
export { TicketTags } from "./TicketTags.tsx";
