export { createTag, orderLanes, tagsOf } from "./tags.service.ts";
