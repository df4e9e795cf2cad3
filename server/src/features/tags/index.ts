export { createTag, tagsOf } from "./tags.service.ts";
